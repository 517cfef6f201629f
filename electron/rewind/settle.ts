/** Ends a rewind or a redo in one commit: what it put back, which turns that undoes, and its report. */

import { sameState } from '../../shared/file-state.ts';
import type { TurnOutcome } from '../../shared/history.ts';
import type { RelPath, TurnNumber } from '../../shared/ids.ts';
import type { FailedPath, RewindReport } from '../../shared/rewind.ts';
import type { CheckpointStore, EntryRow } from '../store/types.ts';
import { entriesFrom } from './gather.ts';
import type { Intended } from './under-way.ts';

/** How far it came. */
export interface Progress {
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Directories that turned out to hold something else. */
  readonly kept: readonly string[];
  readonly failed: readonly FailedPath[];
  readonly outcome: TurnOutcome;
}

interface Undone {
  readonly captures: readonly { turn: TurnNumber; path: RelPath }[];
  readonly turns: readonly TurnNumber[];
}

export function finish(
  store: CheckpointStore,
  entry: EntryRow,
  intended: Intended,
  progress: Progress,
): RewindReport {
  const { restored, deleted, outcome } = progress;
  const kept = [...intended.kept, ...progress.kept].sort();
  const failed = [...intended.failed, ...progress.failed].sort((a, b) => (a.path < b.path ? -1 : 1));
  const reached = new Set([
    ...restored,
    ...deleted,
    ...progress.kept,
    ...progress.failed.map(({ path }) => path),
  ]);
  const notDone = intended.toDo.filter((path) => !reached.has(path));
  const isComplete = notDone.length === 0 && outcome !== 'failed';
  const target = entry.target ?? entry.turn;
  const putBack = new Set([...intended.same, ...restored, ...deleted]);
  const left = new Set([...kept, ...notDone, ...failed.map(({ path }) => path)]);
  const undone =
    entry.redoOf === null
      ? undoneByRewind(store, target, putBack, { whole: intended.whole, isComplete })
      : broughtBackByRedo(store, entry.redoOf, withoutDisturbed(store, entry.turn, left), isComplete);
  const report: RewindReport = {
    rewind: entry.turn,
    turn: target,
    kind: entry.redoOf === null ? 'rewind' : 'redo',
    scope: entry.scope ?? 'files-only',
    restored: [...restored].sort(),
    deleted: [...deleted].sort(),
    kept,
    conflicts: intended.conflicts,
    failed,
    notDone,
    turns: undone.turns,
  };
  store.finishRewind(entry.turn, { outcome, ...undone, report });
  return report;
}

/**
 * A whole rewind makes every turn it went over `rewound`, also one of which a path was kept or could not go back. One that stopped
 * does so with none while anything is left in force, so that going back again to the same turn continues it. A rewind of some
 * paths does so with turns of which nothing is left in force.
 */
function undoneByRewind(
  store: CheckpointStore,
  target: TurnNumber,
  putBack: ReadonlySet<string>,
  { whole, isComplete }: { readonly whole: boolean; readonly isComplete: boolean },
): Undone {
  const inForce = store.capturesInForce(target);
  const captures = inForce.filter(({ path }) => putBack.has(path));
  const touched = new Set(captures.map(({ turn }) => turn));
  const stillInForce = new Set(inForce.filter(({ path }) => !putBack.has(path)).map(({ turn }) => turn));
  const turns = entriesFrom(store, target)
    .filter(({ kind, status }) => kind === 'agent' && status === 'kept')
    .map(({ turn }) => turn)
    .filter((turn) =>
      whole ? isComplete || stillInForce.size === 0 : touched.has(turn) && !stillInForce.has(turn),
    );
  return { captures, turns };
}

/** A path at which a redo stopped half way is in force again, so that a rewind can put it back. */
function withoutDisturbed(
  store: CheckpointStore,
  redo: TurnNumber,
  left: ReadonlySet<string>,
): ReadonlySet<string> {
  const changed = store.captures(redo).filter(({ pre, post }) => post !== null && !sameState(pre, post));
  const disturbed = new Set<string>(changed.map(({ path }) => path));
  return new Set([...left].filter((path) => !disturbed.has(path)));
}

/** What a rewind undid comes into force again, except where the redo left the path as it was. */
function broughtBackByRedo(
  store: CheckpointStore,
  rewind: TurnNumber,
  left: ReadonlySet<string>,
  isComplete: boolean,
): Undone {
  const row = store.entry(rewind);
  const captures = entriesFrom(store, row?.target ?? rewind)
    .filter(({ kind }) => kind === 'agent')
    .flatMap(({ turn }) => store.captures(turn))
    .filter(({ undoneBy, path }) => undoneBy === rewind && !left.has(path));
  const touched = new Set(captures.map(({ turn }) => turn));
  const turns = (row?.report?.turns ?? []).filter((turn) => isComplete || touched.has(turn));
  return { captures, turns };
}
