/** Names a plan by its content, so that a plan that is no longer true has another id. */

import type { FileState } from '../../shared/file-state.ts';
import { asPlanId, type PlanId } from '../../shared/ids.ts';
import type { Plan } from '../../shared/rewind.ts';
import { sha256Of } from '../base/hash.ts';

/** Arrays in a fixed order: the JSON of objects follows the order in which their keys were set. */
export const planIdOf = (plan: Omit<Plan, 'planId'>): PlanId =>
  asPlanId(
    sha256Of(
      JSON.stringify([
        1,
        plan.kind,
        plan.turn,
        plan.paths ?? null,
        plan.undoes,
        plan.items.map((item) => [
          item.path,
          item.verdict,
          item.action,
          stateKey(item.wanted),
          item.expected === null ? null : stateKey(item.expected),
          stateKey(item.present),
        ]),
      ]),
    ),
  );

function stateKey(state: FileState): readonly (string | number)[] {
  switch (state.kind) {
    case 'absent':
      return [state.kind];
    case 'content':
      return [state.kind, state.sha256, state.mode];
    case 'symlink':
      return [state.kind, state.target];
    case 'directory':
      return [state.kind, state.mode];
    case 'skipped':
      return [state.kind, state.reason];
  }
}
