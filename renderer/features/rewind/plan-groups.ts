/** Sorts a plan's items by what happens to them, and says when the person has decided everything. Pure. */

import type { ConflictChoice, Plan, PlanItem, RestoreScope } from '../../../shared/rewind.ts';

export type Choices = Readonly<Record<string, ConflictChoice>>;

export interface PlanGroups {
  readonly conflicts: readonly PlanItem[];
  readonly goBack: readonly PlanItem[];
  readonly deleted: readonly PlanItem[];
  readonly impossible: readonly PlanItem[];
  readonly same: readonly PlanItem[];
}

export function groupPlan(plan: Plan): PlanGroups {
  const having = (test: (item: PlanItem) => boolean) => plan.items.filter(test);
  return {
    conflicts: having(({ verdict }) => verdict === 'conflict'),
    goBack: having(({ verdict, action }) => verdict === 'apply' && action === 'write'),
    deleted: having(({ verdict, action }) => verdict === 'apply' && action === 'delete'),
    impossible: having(({ verdict }) => verdict === 'skipped' || verdict === 'lost'),
    same: having(({ verdict, action }) => verdict === 'same' || (verdict === 'apply' && action === 'none')),
  };
}

export function undecided(plan: Plan, choices: Choices): number {
  return plan.items.filter(({ path, verdict }) => verdict === 'conflict' && choices[path] === undefined)
    .length;
}

/** Only choices about conflicts of this plan are sent: a plan that was made again may have fewer. */
export function choicesFor(plan: Plan, choices: Choices): Record<string, ConflictChoice> {
  const sent: Record<string, ConflictChoice> = {};
  for (const { path, verdict } of plan.items) {
    const choice = choices[path];
    if (verdict === 'conflict' && choice !== undefined) sent[path] = choice;
  }
  return sent;
}

/** The reason why the rewind can't begin yet, or null. */
export function whyNot(
  plan: Plan | null,
  choices: Choices,
  scope: RestoreScope,
  turnIsRunning: boolean,
): string | null {
  if (turnIsRunning) return 'A turn is running.';
  if (plan === null) return 'Choose a turn to go back to.';
  const open = scope === 'chat-only' ? 0 : undecided(plan, choices);
  if (open > 0) return open === 1 ? 'One conflict is undecided.' : `${open} conflicts are undecided.`;
  return null;
}
