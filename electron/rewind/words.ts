/** The sentences that plans, reports and recovery say to people. */

import type { TurnNumber } from '../../shared/ids.ts';

export const OUTSIDE = 'outside the workspace';
export const NOT_EMPTY = 'not empty: holds files that are not part of these turns';
export const NEEDED = 'stays, since something comes back into it';
export const CHANGED_MEANWHILE = 'changed while going back';

export const folderInTheWay =
  'a folder stands there that is not empty: it holds files that are not part of these turns';

export const lostReason = (blob: 'missing' | 'damaged'): string =>
  blob === 'missing'
    ? 'its earlier content is no longer in the store'
    : 'its earlier content in the store is damaged';

export const unkeepableReason = (reason: string): string =>
  `what stands there now can't be kept, so it is not replaced: ${reason}`;

export const mayBeOnlyCopy = (from: string): string =>
  `it may be what stood at ${from}, which was too large to be stored, so it stays here`;

export const folderStaysOpen = (mode: number, why: string): string =>
  `its mode could not be set back to ${mode.toString(8)}: ${why}`;

export const changedSince = (turn: TurnNumber, kind: 'rewind' | 'redo'): string =>
  `you or another program changed this after ${entryName(turn, kind)}`;

export const deletedSince = (turn: TurnNumber, kind: 'rewind' | 'redo'): string =>
  `you or another program deleted this after ${entryName(turn, kind)}`;

export const unknownSince = (turn: TurnNumber, kind: 'rewind' | 'redo'): string =>
  `it is not known what ${entryName(turn, kind)} left here`;

export const changedBetween = (earlier: TurnNumber, later: TurnNumber): string =>
  `you or another program changed this between turn ${earlier} and turn ${later}; going back also undoes that`;

export const comparedBySize = 'too large to compare: taken as unchanged because its size is the same';

export const readAfterCrash = (turn: TurnNumber, kind: 'rewind' | 'redo'): string =>
  `what ${entryName(turn, kind)} left was read after a crash, so later changes can't be told from its own`;

/** A redo undoes a rewind, a rewind undoes turns. */
const entryName = (turn: TurnNumber, kind: 'rewind' | 'redo'): string =>
  `${kind === 'redo' ? 'rewind' : 'turn'} ${turn}`;

/** "a.txt, b.txt and 3 more". */
export function someOf(paths: readonly string[], most = 3): string {
  const shown = paths.slice(0, most).join(', ');
  return paths.length > most ? `${shown} and ${paths.length - most} more` : shown;
}

export const rewindLabel = (turn: TurnNumber, label: string, paths: readonly string[] | undefined): string =>
  [`Back to before turn ${turn}`, label, paths === undefined ? '' : `only ${someOf(paths)}`]
    .filter((part) => part !== '')
    .join(': ');

export const redoLabel = (rewind: TurnNumber): string => `Undo of rewind ${rewind}`;

export const recoveredTurn = (turn: TurnNumber): string =>
  `Turn ${turn} was cut off. What it had changed by then is recorded and can be undone.`;

export const recoveredRewind = (
  turn: TurnNumber,
  kind: 'rewind' | 'redo',
  done: number,
  notDone: number,
): string => {
  const what = kind === 'redo' ? `The undo of a rewind (${turn})` : `Rewind ${turn}`;
  if (notDone === 0) return `${what} was cut off at its end: all it had to do is done.`;
  return `${what} was cut off: ${done} of ${done + notDone} paths are done. Going back again continues it; redo puts everything back.`;
};

export const completedHardLink = (path: string): string =>
  `A write to ${path}, a file with several names, was cut off in the middle; it is completed now.`;

export const leftoverStays = (path: string, temp: string, why: string): string =>
  `A write to ${path} was cut off, and its temporary file ${temp} beside it could not be removed: ${why}`;
