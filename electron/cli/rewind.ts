/** What a rewind came to, for the exit code and for a script that has to choose about conflicts. */

import { type AppError, toErrorInfo } from '../../shared/errors.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import type { Answer } from './answer.ts';
import { reportJson } from './json.ts';

export const isComplete = (report: RewindReport): boolean =>
  report.failed.length === 0 && report.notDone.length === 0;

/** `--conflicts abort`: nothing was changed; the conflicts are named in the usual shape, beside the error. */
export function abortedByConflicts(plan: Plan, error: AppError): Answer {
  const conflicts = plan.items.filter(({ verdict }) => verdict === 'conflict').map(({ path }) => path);
  const report: RewindReport = {
    rewind: null,
    turn: plan.turn,
    kind: 'rewind',
    scope: 'files-only',
    restored: [],
    deleted: [],
    kept: [],
    conflicts,
    failed: [],
    notDone: [],
  };
  return {
    json: { ...reportJson(report), error: toErrorInfo(error) },
    words: [error.message, ...conflicts.map((path) => `  conflict  ${path}`), ''].join('\n'),
    complete: false,
  };
}
