/**
 * Puts a folder back as a plan says. It is itself a recorded entry: what it replaces is committed before it is replaced, so
 * that the same code undoes it. Its captures are settled in one commit at the end; until then a crash leaves an entry that
 * recovery settles from the disk.
 */

import { AppError, toErrorInfo } from '../../shared/errors.ts';
import { type FileState, sameState } from '../../shared/file-state.ts';
import type { RelPath } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { FailedPath, Plan, PlanItem, RewindReport } from '../../shared/rewind.ts';
import type { OpenEntry } from '../store/types.ts';
import type { Decided } from './choices.ts';
import { OpenedFolders } from './opened-folders.ts';
import { performStep } from './perform-step.ts';
import { blockedPaths, checkSpace } from './preflight.ts';
import { settlePending } from './recover.ts';
import { finish } from './settle.ts';
import { SharedFiles } from './shared-files.ts';
import { type Step, stepsOf } from './steps.ts';
import type { ChangeableFolder, Watch } from './types.ts';
import { type Intended, rememberUnderWay } from './under-way.ts';
import * as words from './words.ts';

/** `begin` makes the entry; it is called when all that can be checked beforehand is checked. */
export async function apply(
  folder: ChangeableFolder & Watch,
  plan: Plan,
  decided: Decided,
  begin: () => OpenEntry,
): Promise<RewindReport> {
  const { store } = folder;
  const blocked = await blockedPaths(folder, stepsOf(decided.toDo.map(withRelPath)));
  const toDo = decided.toDo.map(withRelPath).filter(({ path }) => !blocked.has(path));
  const steps = stepsOf(toDo);
  await checkSpace(folder, steps);
  const intended: Intended = {
    whole: plan.paths === undefined,
    same: decided.same.map(({ path }) => path),
    toDo: toDo.map(({ path }) => path),
    kept: decided.kept.map(({ path }) => path),
    conflicts: plan.items.filter(({ verdict }) => verdict === 'conflict').map(({ path }) => path),
    failed: [...decided.failed, ...[...blocked].map(([path, reason]) => ({ path, reason }))],
  };
  const entry = begin();
  rememberUnderWay(store, entry.turn, intended);
  const run = new Run(folder, entry, toDo);
  await run.all(steps);
  const row = store.entry(entry.turn);
  if (row === null) throw new AppError('internal', `Rewind ${entry.turn} is not in the history.`);
  try {
    return finish(store, row, intended, run.progress());
  } catch (error) {
    throw new AppError(
      'rewind-failed',
      `The files went back as far as possible, but the history could not be written: ${toErrorInfo(error).message} Going back again, or opening the folder again, settles it.`,
      { cause: error },
    );
  }
}

type Item = PlanItem & { readonly path: RelPath };

/** Items that are to be changed were contained when the plan was made; the funnel contains them again. */
const withRelPath = (item: PlanItem): Item => ({ ...item, path: parseRelPath(item.path) });

/** One pass over the steps: stops at the first failure that is not about one path alone. */
class Run {
  readonly #folder: ChangeableFolder & Watch;
  readonly #entry: OpenEntry;
  readonly #items: readonly Item[];
  readonly #opened: OpenedFolders;
  readonly #shared: SharedFiles;
  readonly #done = new Set<RelPath>();
  readonly #kept = new Set<RelPath>();
  readonly #failed = new Map<RelPath, string>();
  #outcome: 'done' | 'stopped' | 'failed' = 'done';

  constructor(folder: ChangeableFolder & Watch, entry: OpenEntry, items: readonly Item[]) {
    this.#folder = folder;
    this.#entry = entry;
    this.#items = items;
    this.#opened = new OpenedFolders(folder, entry);
    this.#shared = new SharedFiles(folder, entry.turn, items);
  }

  async all(steps: readonly Step[]): Promise<void> {
    const stepsLeft = new Map<RelPath, number>();
    for (const { path } of steps) stepsLeft.set(path, (stepsLeft.get(path) ?? 0) + 1);
    for (const [index, step] of steps.entries()) {
      if (this.#folder.signal?.aborted) this.#outcome = 'stopped';
      if (this.#outcome !== 'done') break;
      if (!this.#kept.has(step.path) && !this.#failed.has(step.path)) await this.#perform(step, stepsLeft);
      this.#folder.onProgress?.(index + 1, steps.length);
    }
    await this.#cleanUp();
  }

  progress(): Parameters<typeof finish>[3] {
    const done = this.#items.filter(({ path }) => this.#done.has(path));
    return {
      restored: done.filter(({ action }) => action === 'write').map(({ path }) => path),
      deleted: done.filter(({ action }) => action === 'delete').map(({ path }) => path),
      kept: [...this.#kept],
      failed: [...this.#failed].map(([path, reason]): FailedPath => ({ path, reason })),
      outcome: this.#outcome,
    };
  }

  async #perform(step: Step, stepsLeft: Map<RelPath, number>): Promise<void> {
    const { path } = step;
    try {
      const around = { opened: this.#opened, shared: this.#shared };
      const result = await performStep(this.#folder, this.#entry, around, step);
      if (result.kind === 'failed') await this.#failsOrIsDone(path, result.reason);
      else if (result.kind === 'not-empty') this.#stays(path);
      else {
        const left = (stepsLeft.get(path) ?? 1) - 1;
        stepsLeft.set(path, left);
        if (left === 0) this.#done.add(path);
      }
    } catch (error) {
      this.#outcome = 'failed';
      this.#failed.set(path, toErrorInfo(error).message);
    }
  }

  /** A file with several names may have gone back under another one. */
  async #failsOrIsDone(path: RelPath, reason: string): Promise<void> {
    if (reason === words.CHANGED_MEANWHILE && (await this.#isAsWanted(path))) this.#done.add(path);
    else this.#failed.set(path, reason);
  }

  /** A directory that was to go away stays; one that was to become something else can't. */
  #stays(path: RelPath): void {
    if (this.#wantedAt(path)?.kind === 'absent') this.#kept.add(path);
    else this.#failed.set(path, words.folderInTheWay);
  }

  /** After a failure, the disk tells what happened to the path it struck. Failing again changes nothing about the report. */
  async #cleanUp(): Promise<void> {
    try {
      for (const { path, reason } of await this.#opened.closeAll()) {
        this.#outcome = 'failed';
        this.#failed.set(parseRelPath(path), reason);
      }
      if (this.#outcome !== 'failed') return;
      await settlePending(this.#folder, this.#entry.turn);
      for (const path of this.#failed.keys()) {
        if (!(await this.#isAsWanted(path))) continue;
        this.#failed.delete(path);
        this.#done.add(path);
      }
    } catch {
      this.#outcome = 'failed';
    }
  }

  async #isAsWanted(path: RelPath): Promise<boolean> {
    const wanted = this.#wantedAt(path);
    return wanted !== undefined && sameState(await this.#folder.workspace.stateOf(path, null), wanted);
  }

  #wantedAt(path: RelPath): FileState | undefined {
    return this.#items.find((item) => item.path === path)?.wanted;
  }
}
