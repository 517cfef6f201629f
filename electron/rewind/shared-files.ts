/**
 * Files with several names (hard links). What goes back under one name shows under all of them: that is right where the names
 * were one file all along, and would run over a file that no turn touched where a command made them one.
 */

import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { sameState } from '../../shared/file-state.ts';
import type { RelPath, TurnNumber } from '../../shared/ids.ts';
import type { PlanItem } from '../../shared/rewind.ts';
import type { FileSystem } from '../base/file-system.ts';
import type { CaptureRow, CheckpointStore } from '../store/types.ts';
import { isShared } from '../workspace/index.ts';
import type { Workspace } from '../workspace/types.ts';
import type { PathFacts } from './plan.ts';

type Captures = PathFacts['captures'];

/** Names that an agent wrote through, one after another, have one story: the oldest state of them all is what each had. */
export async function withOneStory(
  workspace: Workspace,
  captures: readonly CaptureRow[],
  groups: ReadonlyMap<RelPath, Captures>,
): Promise<ReadonlyMap<RelPath, Captures>> {
  if (!captures.some(wroteThrough)) return groups;
  const result = new Map(groups);
  for (const { names } of await sharedFiles(workspace, [...groups.keys()])) {
    const [first, ...later] = captures.filter(({ path }) => names.includes(path));
    if (first === undefined || !isOneStory(first, later)) continue;
    for (const name of names) result.set(name, [first, ...later]);
  }
  return result;
}

/** Each capture goes on from what an earlier one left; within a turn the states between the writes are not known. */
function isOneStory(first: CaptureRow, later: readonly CaptureRow[]): boolean {
  if (!wroteThrough(first)) return false;
  return later.every((capture, index) => {
    const { turn, pre } = capture;
    const earlier = [first, ...later.slice(0, index)];
    return (
      pre.kind === 'content' &&
      earlier.some(
        (one) =>
          sameState(one.pre, pre) ||
          (one.post !== null && sameState(one.post, pre)) ||
          (one.turn === turn && wroteThrough(one) && wroteThrough(capture)),
      )
    );
  });
}

/**
 * The funnel wrote the file for all its names. A crash takes the mark that says so with it; what was only seen afterwards has no
 * intent.
 */
const wroteThrough = ({ intent, marks, recovered }: CaptureRow): boolean =>
  intent !== null && (recovered || isShared(marks));

/** Decides for the files of one rewind whether they are written in place, for all their names. */
export class SharedFiles {
  readonly #workspace: Workspace;
  readonly #store: CheckpointStore;
  readonly #rewind: TurnNumber;
  readonly #items: ReadonlyMap<RelPath, PlanItem>;
  #separate: Promise<ReadonlySet<RelPath>> | null = null;

  constructor(
    { workspace, store }: { readonly workspace: Workspace; readonly store: CheckpointStore },
    rewind: TurnNumber,
    items: readonly (PlanItem & { readonly path: RelPath })[],
  ) {
    this.#workspace = workspace;
    this.#store = store;
    this.#rewind = rewind;
    this.#items = new Map(items.map((item) => [item.path, item]));
  }

  /** The name gets a file of its own: not all its names go back to the same, and it was not written through when it was last changed. */
  async isSeparate(path: RelPath): Promise<boolean> {
    const { root, fs } = this.#workspace;
    if (!hasSeveralNames(await statsAt(fs, join(root, path)))) return false;
    this.#separate ??= this.#findSeparate();
    return (await this.#separate).has(path);
  }

  async #findSeparate(): Promise<ReadonlySet<RelPath>> {
    const separate = new Set<RelPath>();
    for (const { names, count } of await sharedFiles(this.#workspace, [...this.#items.keys()])) {
      if (names.length === count && this.#wantTheSame(names)) continue;
      for (const name of names) {
        const last = this.#store.previousCapture(name, this.#rewind);
        if (last === null || !wroteThrough(last)) separate.add(name);
      }
    }
    return separate;
  }

  #wantTheSame(names: readonly RelPath[]): boolean {
    const [first, ...others] = names.flatMap((name) => this.#items.get(name)?.wanted ?? []);
    return first !== undefined && others.every((wanted) => sameState(first, wanted));
  }
}

interface SharedFile {
  readonly names: RelPath[];
  /** Of all its names, also those that are not among the paths. */
  readonly count: number;
}

async function sharedFiles({ root, fs }: Workspace, paths: readonly RelPath[]): Promise<SharedFile[]> {
  const files = new Map<string, SharedFile>();
  for (const path of paths) {
    const stats = await statsAt(fs, join(root, path));
    if (stats === null || !hasSeveralNames(stats)) continue;
    const key = `${stats.dev} ${stats.ino}`;
    const file = files.get(key) ?? { names: [], count: Number(stats.nlink) };
    files.set(key, file);
    file.names.push(path);
  }
  return [...files.values()];
}

/** null: what can't be looked at is not there for us, or is refused when it is its turn. */
const statsAt = (fs: FileSystem, path: string): Promise<BigIntStats | null> =>
  fs.lstat(path).catch(() => null);

const hasSeveralNames = (stats: BigIntStats | null): boolean => stats?.isFile() === true && stats.nlink > 1n;
