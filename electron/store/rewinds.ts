/** Ends a rewind or a redo: which captures are in force, and where the chat stands, changes with its outcome or not at all. */

import { AppError } from '../../shared/errors.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { Captures } from './captures.ts';
import type { Entries } from './entries.ts';
import type { Transcript } from './transcript.ts';
import type { CheckpointStore } from './types.ts';

export type FinishedRewind = Parameters<CheckpointStore['finishRewind']>[1];

interface RewindParts {
  readonly entries: Entries;
  readonly captures: Captures;
  readonly transcript: Transcript;
}

/** Inside of a transaction. */
export function finishRewind(
  { entries, captures: rows, transcript }: RewindParts,
  rewind: TurnNumber,
  { outcome, captures, turns, report }: FinishedRewind,
): void {
  const entry = entries.one(rewind);
  if (entry === null || entry.kind !== 'rewind')
    throw new AppError('internal', `Entry ${rewind} is no rewind.`);
  const isRedo = entry.redoOf !== null;
  for (const { turn, path } of captures) rows.setUndoneBy(turn, path, isRedo ? null : rewind);
  for (const turn of turns) entries.setStatus(turn, isRedo ? 'kept' : 'rewound');
  entries.setOutcome(rewind, outcome);
  entries.setReport(rewind, report);
  if (entry.redoOf !== null && outcome === 'done') entries.setStatus(entry.redoOf, 'rewound');
  if (entry.scope !== 'files-only' && outcome === 'done') transcript.setHead(entry.chatHeadAfter);
}
