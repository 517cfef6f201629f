/**
 * What the history of a folder must mean, told a second time and in the simplest way: whole trees in memory, compared before
 * and after each step. It shares no code with what it checks, except for the comparison of two states.
 */

import { type FileState, sameState } from '../../shared/file-state.ts';
import { at, differences, hasBelow, type Tree } from './tree.ts';

/** New folders that nobody asked a mode for. */
export const DEFAULT_DIRECTORY_MODE = 0o755;

interface Touch {
  readonly pre: FileState;
  post: FileState;
  /** The rewind that undid it. */
  undoneBy: number | null;
  /** What a rewind left that changed the path without putting it back. */
  left: FileState | null;
}

export interface ModelTurn {
  readonly turn: number;
  readonly touched: Map<string, Touch>;
  isRewound: boolean;
}

interface ModelRewind {
  readonly rewind: number;
  readonly before: Tree;
  readonly after: Tree;
  readonly turns: readonly ModelTurn[];
}

export interface Wanted {
  readonly wanted: FileState;
  /** What nobody but the agent and its rewinds can have left. */
  readonly expected: readonly FileState[];
}

export interface Prediction {
  readonly tree: Tree;
  readonly verdicts: ReadonlyMap<string, 'same' | 'apply' | 'conflict' | 'skipped'>;
  readonly restored: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** By the policy, or directories that hold something else. */
  readonly kept: ReadonlySet<string>;
  /** What can't go back because something that is not part of the turns is in its way. */
  readonly blocked: ReadonlySet<string>;
}

export class Model {
  turns: ModelTurn[] = [];
  /** Newest last. */
  rewinds: ModelRewind[] = [];

  beginTurn(turn: number): ModelTurn {
    const begun: ModelTurn = { turn, touched: new Map(), isRewound: false };
    this.turns.push(begun);
    this.rewinds = [];
    return begun;
  }

  /** One tool call: the first change of a path in a turn tells what was there before. */
  toolCalled(turn: ModelTurn, before: Tree, after: Tree): void {
    for (const [path, change] of differences(before, after)) {
      const known = turn.touched.get(path);
      if (known === undefined) {
        turn.touched.set(path, { pre: change.before, post: change.after, undoneBy: null, left: null });
      } else known.post = change.after;
    }
  }

  lastKept(): ModelTurn | undefined {
    return this.turns.findLast(({ isRewound }) => !isRewound);
  }

  /** Every path in force at or after the turn; with `paths` only those, and the removed folders that they need. */
  wantedBefore(turn: number, paths?: readonly string[]): Map<string, Wanted> {
    const all = new Map<string, Wanted>();
    for (const { turn: number, touched } of this.turns) {
      if (number < turn) continue;
      for (const [path, { pre, post, undoneBy, left }] of touched) {
        if (undoneBy !== null) continue;
        const expected = left === null ? [post] : [post, left];
        all.set(path, { wanted: all.get(path)?.wanted ?? pre, expected });
      }
    }
    if (paths === undefined) return all;
    return new Map(
      [...all].filter(
        ([path, { wanted, expected }]) =>
          paths.some((asked) => path === asked || path.startsWith(`${asked}/`)) ||
          (paths.some((asked) => asked.startsWith(`${path}/`)) &&
            wanted.kind === 'directory' &&
            expected[0]?.kind !== 'directory'),
      ),
    );
  }

  rewound(
    rewind: number,
    target: number,
    putBack: ReadonlySet<string>,
    isWhole: boolean,
    before: Tree,
    after: Tree,
  ): void {
    const turns: ModelTurn[] = [];
    const changed = differences(before, after);
    for (const turn of this.turns) {
      if (turn.turn < target) continue;
      let isTouched = false;
      for (const [path, touch] of turn.touched) {
        touch.left = changed.get(path)?.after ?? touch.left;
        if (touch.undoneBy !== null || !putBack.has(path)) continue;
        touch.undoneBy = rewind;
        isTouched = true;
      }
      const nothingLeft = [...turn.touched.values()].every(({ undoneBy }) => undoneBy !== null);
      if (turn.isRewound || !(isWhole || (isTouched && nothingLeft))) continue;
      turn.isRewound = true;
      turns.push(turn);
    }
    this.rewinds.push({ rewind, before, after, turns });
  }

  /** What the newest rewind replaced, and what it left. */
  wantedByRedo(): Map<string, Wanted> | null {
    const newest = this.rewinds.at(-1);
    if (newest === undefined) return null;
    return new Map(
      [...differences(newest.before, newest.after)].map(([path, { before, after }]) => [
        path,
        { wanted: before, expected: [after] },
      ]),
    );
  }

  redone(left: ReadonlySet<string>): void {
    const newest = this.rewinds.pop();
    if (newest === undefined) return;
    for (const turn of newest.turns) turn.isRewound = false;
    const changed = differences(newest.before, newest.after);
    for (const { touched } of this.turns) {
      for (const [path, touch] of touched) {
        if (changed.has(path) && !left.has(path)) touch.left = null;
        if (touch.undoneBy === newest.rewind && !left.has(path)) touch.undoneBy = null;
      }
    }
  }

  pruned(isLeft: (entry: number) => boolean): void {
    this.turns = this.turns.filter(({ turn }) => isLeft(turn));
    this.rewinds = this.rewinds.filter(({ rewind }) => isLeft(rewind));
  }
}

/** What must come of putting those paths back. */
export function predict(
  present: Tree,
  wanted: ReadonlyMap<string, Wanted>,
  keepConflicts: boolean,
): Prediction {
  const verdicts = new Map<string, 'same' | 'apply' | 'conflict' | 'skipped'>();
  const outside = new Set([...wanted.keys()].filter((path) => isBehindLink(present, wanted, path)));
  for (const [path, item] of wanted) {
    const now = at(present, path);
    if (outside.has(path)) verdicts.set(path, 'skipped');
    else if (sameState(now, item.wanted)) verdicts.set(path, 'same');
    else verdicts.set(path, item.expected.some((state) => sameState(now, state)) ? 'apply' : 'conflict');
  }
  const kept = new Set<string>();
  const blocked = new Set(outside);
  const toDo = [...wanted].filter(([path]) => {
    const isKept = keepConflicts && verdicts.get(path) === 'conflict';
    if (isKept) kept.add(path);
    return !isKept && !outside.has(path) && verdicts.get(path) !== 'same';
  });
  // What comes back below a folder keeps it.
  const needed = [...wanted.keys()].filter((path) => {
    const verdict = verdicts.get(path);
    return wanted.get(path)?.wanted.kind !== 'absent' && verdict !== 'same' && verdict !== 'skipped';
  });
  const tree = new Map(present);
  const deepestFirst = toDo.toSorted(([a], [b]) => b.split('/').length - a.split('/').length);
  for (const [path, item] of deepestFirst) {
    const now = at(present, path);
    if (now.kind !== 'directory' && (item.wanted.kind === 'absent' || item.wanted.kind === 'directory')) {
      tree.delete(path);
    }
  }
  for (const [path, item] of deepestFirst) {
    if (at(present, path).kind !== 'directory' || item.wanted.kind === 'directory') continue;
    const isNeeded = item.wanted.kind === 'absent' && needed.some((below) => below.startsWith(`${path}/`));
    if (!hasBelow(tree, path) && !isNeeded) tree.delete(path);
    else if (item.wanted.kind === 'absent') kept.add(path);
    else blocked.add(path);
  }
  for (const [path, item] of deepestFirst.toReversed()) {
    if (item.wanted.kind === 'absent' || blocked.has(path)) continue;
    const parents = path
      .split('/')
      .slice(0, -1)
      .map((_, index, all) => all.slice(0, index + 1).join('/'));
    if (parents.some((parent) => !['absent', 'directory'].includes(at(tree, parent).kind))) {
      blocked.add(path);
      continue;
    }
    for (const parent of parents) {
      if (!tree.has(parent)) tree.set(parent, { kind: 'directory', mode: DEFAULT_DIRECTORY_MODE });
    }
    tree.set(path, item.wanted);
  }
  const done = toDo.filter(([path]) => !kept.has(path) && !blocked.has(path));
  const pathsOf = (isDeletion: boolean): Set<string> =>
    new Set(done.filter(([, { wanted }]) => (wanted.kind === 'absent') === isDeletion).map(([path]) => path));
  return { tree, verdicts, restored: pathsOf(false), deleted: pathsOf(true), kept, blocked };
}

/** Below a link that is not itself put back to a folder: such a path may lead out of the workspace. */
function isBehindLink(present: Tree, wanted: ReadonlyMap<string, Wanted>, path: string): boolean {
  const link = parentsOf(path).find((parent) => at(present, parent).kind === 'symlink');
  return link !== undefined && wanted.get(link)?.wanted.kind !== 'directory';
}

const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join('/'));
