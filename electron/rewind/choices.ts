/** Sorts the items of a plan by what the person decided about them. Pure. */

import { AppError } from '../../shared/errors.ts';
import type { FailedPath, Plan, PlanItem } from '../../shared/rewind.ts';
import type { Decisions } from './types.ts';
import { someOf } from './words.ts';

export interface Decided {
  /** Already as wanted. */
  readonly same: readonly PlanItem[];
  readonly toDo: readonly PlanItem[];
  /** By choice, or because they are directories that hold something else. */
  readonly kept: readonly PlanItem[];
  readonly failed: readonly FailedPath[];
}

/** Throws AppError `conflicts` when there are some that nobody decided about. */
export function decide(plan: Plan, { conflicts, choices = {} }: Decisions): Decided {
  const byDefault = { overwrite: 'go-back', keep: 'keep-mine', abort: null }[conflicts];
  const choiceFor = ({ path }: PlanItem) => (Object.hasOwn(choices, path) ? choices[path] : byDefault);
  const undecided = plan.items.filter((item) => item.verdict === 'conflict' && choiceFor(item) === null);
  if (undecided.length > 0) {
    throw new AppError(
      'conflicts',
      `Nothing was changed: ${someOf(undecided.map(({ path }) => path))} changed since, and going back would replace that.`,
    );
  }
  const same: PlanItem[] = [];
  const toDo: PlanItem[] = [];
  const kept: PlanItem[] = [];
  const failed: FailedPath[] = [];
  for (const item of plan.items) {
    const { path, verdict, action, reason = '' } = item;
    if (verdict === 'same') same.push(item);
    else if (verdict === 'skipped' || verdict === 'lost') failed.push({ path, reason });
    else if (verdict === 'conflict' && choiceFor(item) === 'keep-mine') kept.push(item);
    else if (action !== 'none') toDo.push(item);
    // Something must come to where a folder of the person stands; where nothing must come, the folder just stays.
    else if (item.wanted.kind !== 'absent') failed.push({ path, reason });
    else kept.push(item);
  }
  return { same, toDo, kept, failed };
}
