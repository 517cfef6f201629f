/** Collects what a plan is made from: the captures to undo, and what stands at their paths now. */

import pLimit from 'p-limit';
import { AppError } from '../../shared/errors.ts';
import { ABSENT, type FileState, sameState } from '../../shared/file-state.ts';
import type { NotCovered } from '../../shared/history.ts';
import { asTurnNumber, type RelPath, type TurnNumber } from '../../shared/ids.ts';
import { depthOf, parentsOf, parseRelPath } from '../../shared/rel-path.ts';
import type { Plan } from '../../shared/rewind.ts';
import type { CaptureRow, CheckpointStore, EntryRow } from '../store/types.ts';
import { buildPlan, needsBlob, type PathFacts } from './plan.ts';
import { presentState } from './present-state.ts';
import { withOneStory } from './shared-files.ts';
import { namesIn, Spellings } from './spellings.ts';
import type { Folder } from './types.ts';

/** Hashing waits for the disk more than for the processor. */
const FILES_AT_ONCE = 8;

export interface PlanRequest extends Folder {
  readonly turn: TurnNumber;
  /** A directory names everything below it. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * What it takes to be right before the turn. Throws AppError `turn-not-found`, `already-rewound`, `nothing-to-rewind`
 * (none of the paths is in force), `cancelled`, and what parseRelPath throws for the paths.
 */
export async function planRewind({ store, workspace, turn, paths, signal }: PlanRequest): Promise<Plan> {
  const asked = paths?.map((path) => parseRelPath(path));
  const entry = turnToUndo(store, turn);
  const captures = store.capturesInForce(turn, asked);
  const own = captures.filter((capture) => capture.turn === turn);
  if (entry.status === 'rewound' && (asked === undefined || own.length === 0)) {
    throw new AppError(
      'already-rewound',
      alreadyRewound(turn, store.capturesInForce(turn), store.lastKeptTurn()),
    );
  }
  if (asked !== undefined && captures.length === 0) {
    throw new AppError(
      'nothing-to-rewind',
      `Turn ${turn} and later turns have no change in force at ${asked.join(', ')}.`,
    );
  }
  const later = entriesFrom(store, turn).filter(({ kind }) => kind === 'agent');
  const involved = new Set(captures.map((capture) => capture.turn));
  const undone = later.filter((each) =>
    asked === undefined ? each.status === 'kept' || involved.has(each.turn) : involved.has(each.turn),
  );
  const parents = asked === undefined ? [] : missingParents(store, turn, asked, captures);
  return buildPlan({
    kind: 'rewind',
    turn,
    ...(asked === undefined ? {} : { paths: asked }),
    undoes: undone.map((each) => each.turn),
    notCovered: withoutRepeats(undone.flatMap((each) => each.notCovered)),
    notes: undone.flatMap(({ notes }) => notes),
    facts: await factsOf({ store, workspace }, [...captures, ...parents], signal),
  });
}

/** What it takes to undo the newest rewind. Throws AppError `nothing-to-redo`, `cancelled`. */
export async function planRedo({
  store,
  workspace,
  signal,
}: Folder & { signal?: AbortSignal }): Promise<Plan> {
  const rewind = store.redoable();
  if (rewind === null) {
    throw new AppError(
      'nothing-to-redo',
      'There is no rewind to undo: none was made, or a new turn replaced it.',
    );
  }
  return buildPlan({
    kind: 'redo',
    turn: rewind.turn,
    undoes: [rewind.turn],
    notCovered: [],
    notes: [],
    facts: await factsOf({ store, workspace }, store.captures(rewind.turn), signal),
  });
}

/** Throws AppError `turn-not-found`, also for the number of a rewind. */
export function turnToUndo(store: CheckpointStore, turn: TurnNumber): EntryRow {
  const entry = store.entry(turn);
  if (entry === null)
    throw new AppError('turn-not-found', `There is no turn ${turn} in this folder's history.`);
  if (entry.kind === 'rewind') {
    throw new AppError(
      'turn-not-found',
      `Number ${turn} is a rewind, not a turn; redo undoes the newest rewind.`,
    );
  }
  return entry;
}

function alreadyRewound(
  turn: TurnNumber,
  inForce: readonly CaptureRow[],
  lastKept: TurnNumber | null,
): string {
  const own = inForce.filter((capture) => capture.turn === turn).map(({ path }) => path);
  if (own.length > 0) {
    return `Turn ${turn} is already rewound; what was not put back then can be asked for by its path: ${own.join(', ')}.`;
  }
  const hint =
    lastKept !== null && lastKept > turn ? ` The newest turn that can be undone is ${lastKept}.` : '';
  return `Turn ${turn} is already rewound.${hint}`;
}

/** Every entry at or after the turn, newest first. */
export const entriesFrom = (store: CheckpointStore, turn: TurnNumber): EntryRow[] =>
  store.entries().filter((entry) => entry.turn >= turn);

/** Directories that the turns removed and that a path asked for stands in: it can't come back without them. */
function missingParents(
  store: CheckpointStore,
  turn: TurnNumber,
  asked: readonly RelPath[],
  found: readonly CaptureRow[],
): CaptureRow[] {
  const known = new Set(found.map(({ path }) => path));
  const parents = new Set(asked.flatMap(parentsOf).filter((parent) => !known.has(parent)));
  if (parents.size === 0) return [];
  const captures = groupByPath(
    store.capturesInForce(turn, [...parents]).filter(({ path }) => parents.has(path)),
  );
  return [...captures.values()]
    .filter((own) => own[0].pre.kind === 'directory' && own.at(-1)?.post?.kind !== 'directory')
    .flat();
}

async function factsOf(
  folder: Folder,
  captures: readonly CaptureRow[],
  signal: AbortSignal | undefined,
): Promise<PathFacts[]> {
  const limit = pLimit(FILES_AT_ONCE);
  const groups = await withOneStory(folder.workspace, captures, groupByPath(captures));
  const spellings = new Spellings(folder.workspace, [...groups.keys()]);
  const facts = await Promise.all(
    [...groups].map(([path, own]) =>
      limit(() => {
        if (signal?.aborted)
          throw new AppError('cancelled', 'Looking at the folder was stopped; nothing was changed.');
        return factsAt(folder, path, own, spellings);
      }),
    ),
  );
  return belowReplacedLinks(facts);
}

function groupByPath(captures: readonly CaptureRow[]): Map<RelPath, PathFacts['captures']> {
  const groups = new Map<RelPath, [CaptureRow, ...CaptureRow[]]>();
  for (const capture of captures) {
    const group = groups.get(capture.path);
    if (group === undefined) groups.set(capture.path, [capture]);
    else group.push(capture);
  }
  return groups;
}

async function factsAt(
  { store, workspace }: Folder,
  path: RelPath,
  captures: PathFacts['captures'],
  spellings: Spellings,
): Promise<PathFacts> {
  const wanted = captures[0].pre;
  const present = await presentState(workspace, path);
  const standing = present === null || (await spellings.isAnother(path)) ? ABSENT : present;
  const mustGo = standing.kind === 'directory' && wanted.kind !== 'directory';
  return {
    path,
    captures,
    partlyPutBack: partlyPutBack(store, captures.at(-1) ?? captures[0]),
    present: standing,
    outside: present === null,
    blob:
      wanted.kind === 'content' && needsBlob(wanted, standing) ? await store.checkBlob(wanted.sha256) : 'ok',
    children: mustGo ? (await namesIn(workspace, path)).map((name) => `${path}/${name}`) : [],
  };
}

/**
 * What a rewind or redo left at a path that it began to change and did not finish (a folder that has no file in its place yet).
 * Nobody else changed that.
 */
function partlyPutBack(store: CheckpointStore, newest: CaptureRow): FileState | null {
  const last = store.previousCapture(newest.path, AFTER_ALL);
  const entry = last === null || last.turn <= newest.turn ? null : store.entry(last.turn);
  if (last === null || entry?.kind !== 'rewind') return null;
  if (entry.redoOf === null) return isRewindOf(entry, newest.turn) ? last.post : null;
  if (entry.redoOf === newest.turn) return last.post;
  const replaced = store.capture(entry.redoOf, newest.path);
  // Once the redo is through with a path, what stands there may be the person's again.
  const isDone = replaced === null || last.post === null || sameState(last.post, replaced.pre);
  return isDone || !isRewindOf(store.entry(entry.redoOf), newest.turn) ? null : last.post;
}

const isRewindOf = (rewind: EntryRow | null, turn: TurnNumber): boolean =>
  rewind !== null && (rewind.target ?? rewind.turn) <= turn;

const AFTER_ALL = asTurnNumber(Number.MAX_SAFE_INTEGER);

/**
 * A turn may have put a symlink where a directory was. What the directory held is not outside of the folder then: it is
 * absent until the directory is back, which the same plan sees to.
 */
function belowReplacedLinks(facts: readonly PathFacts[]): PathFacts[] {
  const replaced = new Set<string>();
  return [...facts]
    .sort((a, b) => depthOf(a.path) - depthOf(b.path))
    .map((each) => {
      if (!each.outside) {
        if (each.present.kind === 'symlink' && each.captures[0].pre.kind === 'directory')
          replaced.add(each.path);
        return each;
      }
      const isBelow = isWellFormed(each.path) && parentsOf(each.path).some((parent) => replaced.has(parent));
      return isBelow ? { ...each, outside: false } : each;
    });
}

function isWellFormed(path: string): boolean {
  try {
    return parseRelPath(path) === path;
  } catch {
    return false;
  }
}

const withoutRepeats = (items: readonly NotCovered[]): NotCovered[] => [
  ...new Map(items.map((item) => [`${item.path}\0${item.reason}`, item])).values(),
];
