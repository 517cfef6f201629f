/** Shows a plan: every path with what happens to it, conflicts first because they need an answer. */

import type { ConflictChoice, Plan, PlanItem } from '../../../shared/rewind.ts';
import { pathOf, sharedMarks, without } from '../../lib/changes.ts';
import { plural } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { NotCoveredList } from '../../ui/not-covered-list.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { type Choices, groupPlan } from './plan-groups.ts';
import { PlanItemRow } from './plan-item-row.tsx';
import './plan-view.css';

interface PlanViewProps {
  readonly plan: Plan;
  readonly choices: Choices;
  readonly onChoose: (paths: readonly string[], choice: ConflictChoice) => void;
  readonly disabled: boolean;
}

export function PlanView({ plan, choices, onChoose, disabled }: PlanViewProps) {
  const { conflicts, goBack, deleted, impossible, same } = groupPlan(plan);
  // What the plan itself can't restore is said there, with its reason.
  const elsewhere = plan.notCovered.filter(({ path }) => !impossible.some((item) => item.path === path));
  const conflictMarks = sharedMarks(conflicts);
  const chooseAll = (choice: ConflictChoice) => () =>
    onChoose(
      conflicts.map(({ path }) => path),
      choice,
    );
  return (
    <>
      <p className="plan-summary">{summaryOf(plan)}</p>
      {plan.items.length === 0 && (
        <EmptyState title="No file to change">The turns that would be undone changed no file.</EmptyState>
      )}
      {conflicts.length > 0 && (
        <section className="plan-group plan-conflicts">
          <div className="plan-heading">
            <h3>{plural(conflicts.length, 'conflict')}</h3>
            <span className="faint">{conflictMarks.join(', ')}</span>
            {conflicts.length > 1 && (
              <span className="plan-all">
                <Button look="quiet" size="small" disabled={disabled} onClick={chooseAll('go-back')}>
                  All go back
                </Button>
                <Button look="quiet" size="small" disabled={disabled} onClick={chooseAll('keep-mine')}>
                  Keep all mine
                </Button>
              </span>
            )}
          </div>
          <p className="plan-explanation">
            Changed since the agent last wrote them. Choose for each; what goes back is stored first, so
            undoing the rewind returns your version.
          </p>
          <PlanItems items={conflicts}>
            {(item) => (
              <PlanItemRow
                item={item}
                marks={without(item.marks, conflictMarks)}
                turn={plan.turn}
                conflict={{
                  choice: choices[item.path] ?? null,
                  onChoose: (choice) => onChoose([item.path], choice),
                  disabled,
                }}
              />
            )}
          </PlanItems>
        </section>
      )}
      <Group title="Will go back" items={goBack} plan={plan} />
      <Group title="Will be deleted" items={deleted} plan={plan} />
      <Group title="Can’t be restored" items={impossible} plan={plan} />
      {elsewhere.length > 0 && <NotCoveredList items={elsewhere} />}
      {plan.notes.map((note) => (
        <Callout key={note}>
          <WithCode text={note} />
        </Callout>
      ))}
      <Group title="Already the same" items={same} plan={plan} folded />
    </>
  );
}

function summaryOf({ kind, turn, undoes, paths }: Plan): string {
  if (kind === 'redo') return 'Brings back what the newest rewind took away.';
  if (paths !== undefined)
    return `Only this goes back to how it was right before turn ${turn}; the rest of the folder stays.`;
  const others = undoes.filter((one) => one !== turn);
  if (others.length === 0) return `The folder goes back to right before turn ${turn}.`;
  return `The folder goes back to right before turn ${turn}. ${plural(others.length, 'later turn')} ${
    others.length === 1 ? 'is' : 'are'
  } undone too.`;
}

interface PlanItemsProps {
  readonly items: readonly PlanItem[];
  readonly children: (item: PlanItem) => React.ReactNode;
}

function PlanItems({ items, children }: PlanItemsProps) {
  return (
    <LongList className="plan-items" items={items} keyOf={pathOf} estimate={() => 35}>
      {children}
    </LongList>
  );
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly PlanItem[];
  readonly plan: Plan;
  readonly folded?: boolean;
}

function Group({ title, items, plan, folded = false }: GroupProps) {
  if (items.length === 0) return null;
  const shared = sharedMarks(items);
  const heading = (
    <>
      <h3>{title}</h3>
      <span className="faint">{[items.length.toLocaleString(), ...shared].join(' · ')}</span>
    </>
  );
  const list = (
    <PlanItems items={items}>
      {(item) => (
        <PlanItemRow item={item} marks={without(item.marks, shared)} turn={plan.turn} conflict={null} />
      )}
    </PlanItems>
  );
  if (folded) {
    return (
      <details className="plan-group">
        <summary className="plan-heading">{heading}</summary>
        {list}
      </details>
    );
  }
  return (
    <section className="plan-group">
      <div className="plan-heading">{heading}</div>
      {list}
    </section>
  );
}
