/**
 * Finds what is different in a folder since the last time: compares every known path with what lstat says, reads the
 * directories that changed, and looks closely at the rest. A second thread can share the comparing and the looking.
 */

import type { BigIntStats } from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import type { FileState } from '../../../shared/file-state.ts';
import type { NotCovered } from '../../../shared/history.ts';
import { isLeftOut, type LeftOut } from '../left-out.ts';
import { type Budget, BudgetKeeper } from './budget-keeper.ts';
import { differing, newCounter } from './compare.ts';
import { KnownPaths } from './known-paths.ts';
import { directorySeen, type Found, gone, isSettled, type Looked, type LookOptions, lookAt } from './look.ts';
import { NotCoveredPaths } from './not-covered.ts';
import type { Partner } from './partner.ts';
import { childOf, isInside } from './paths.ts';
import { isObstacle, namesIn, sizeAt, statsOf } from './sight.ts';
import type { Stamp } from './stat-table.ts';

/** Small enough that both threads end at about the same time, and that Stop is heard soon. */
const PARTNER_LOOKS_AT_ONCE = 100;
/** Smaller, because the partner is not served meanwhile. */
const OWN_LOOKS_AT_ONCE = 30;
/** Directories that are read before Stop and other folders are listened to. */
const READS_AT_ONCE = 200;
/** Below, waking the other thread takes longer than doing its share. */
const SHARED_FROM = 1000;

export interface FolderScanOptions extends LookOptions {
  readonly leftOut: LeftOut;
  readonly budget: Budget;
}

export interface ScanRun {
  /** Files over the limit are hashed when they changed. */
  readonly tellLarge: boolean;
  /** Asked for when there is enough work for two. */
  readonly partner: () => Partner;
  /** More may come while the caller still works on it. */
  readonly found: (found: readonly Found[]) => void;
  readonly progress: (done: number, total: number) => void;
  /** Between pieces of work; throws when the scan is to stop. */
  readonly pause: () => Promise<void>;
}

/** What one scan has still to do. */
interface Work {
  found: Found[];
  toRead: string[];
  toLook: string[];
}

export class FolderScan {
  readonly #options: FolderScanOptions;
  readonly #known: KnownPaths;
  readonly #notCovered = new NotCoveredPaths();
  readonly #budget: BudgetKeeper;

  constructor(options: FolderScanOptions) {
    this.#options = options;
    this.#known = new KnownPaths(options.root, options.maxFileBytes);
    this.#budget = new BudgetKeeper(options.budget, options.maxFileBytes);
  }

  /** What an earlier process knew. Its directories are read again, since what they hold besides was not kept. */
  load(path: string, stamp: Stamp, state: FileState): void {
    const { leftOut, maxFileBytes } = this.#options;
    if (state.kind === 'directory' && isLeftOut(path, leftOut)) return;
    if (isInside(path, (directory) => isLeftOut(directory, leftOut))) return;
    // The limit may be another one now.
    const isLarge = stamp.size > maxFileBytes;
    const isTrusted = state.kind === 'symlink' || state.kind === (isLarge ? 'skipped' : 'content');
    this.#known.remember(path, stamp, isTrusted);
    if (state.kind === 'skipped') this.#notCovered.set(path, state.reason);
  }

  get notCovered(): NotCovered[] {
    return this.#notCovered.list();
  }

  get size(): number {
    return this.#known.size;
  }

  /** After a scan that did not come to its end nothing is known for sure; begin with a new one. */
  async scan(run: ScanRun): Promise<void> {
    const work: Work = { found: [], toRead: [], toLook: [] };
    const root = this.#lookAtRoot();
    if (!this.#known.has('')) work.toRead.push('');
    this.#sortOut(await this.#differing(run), work);
    for (let reads = 1; ; reads += 1) {
      const path = work.toRead.pop();
      if (path === undefined) break;
      this.#read(path, root, work);
      if (reads % READS_AT_ONCE === 0) await run.pause();
    }
    this.#keepWithinBudget(work);
    if (work.found.length > 0) run.found(work.found);
    await this.#lookAtAll(work.toLook, run);
  }

  #lookAtRoot(): BigIntStats {
    const { root } = this.#options;
    const stats = statsOf(root);
    if (stats !== null && !isObstacle(stats) && stats.isDirectory()) return stats;
    // Not as if all that it held had been deleted.
    throw new AppError('folder-not-found', `The folder ${root} is not there any more.`);
  }

  async #differing({ partner }: ScanRun): Promise<number[]> {
    const { table, end, absolutes } = this.#known;
    const next = newCounter();
    const compare = (): number[] => differing({ paths: absolutes, table, end, next });
    if (end < SHARED_FROM) return compare();
    const theirs = partner().differing(this.#known, next);
    const ours = compare();
    return [...ours, ...(await theirs)];
  }

  /** What to do about the known paths that are not as they were. */
  #sortOut(indices: readonly number[], work: Work): void {
    const replaced = new Set<string>();
    for (const index of indices) {
      const path = this.#known.pathAt(index);
      if (path === null) continue;
      const stats = statsOf(this.#absoluteOf(path));
      if (stats === null) work.found.push(this.#forget(path));
      // Nobody knows whether it is still as it was.
      else if (isObstacle(stats)) this.#notCovered.set(path, stats.reason);
      else if (stats.isDirectory()) work.toRead.push(path);
      else {
        if (this.#known.isDirectory(path)) replaced.add(path);
        work.toLook.push(path);
      }
    }
    if (replaced.size > 0) this.#forgetInside(replaced, work);
  }

  /** A link may stand where a directory was: what is seen through it is not in the folder. */
  #forgetInside(directories: ReadonlySet<string>, work: Work): void {
    const isOutside = (path: string): boolean => !isInside(path, (directory) => directories.has(directory));
    for (const path of [...this.#known.paths()]) if (!isOutside(path)) work.found.push(this.#forget(path));
    for (const path of directories) this.#notCovered.forgetIn(path);
    work.toRead = work.toRead.filter(isOutside);
    work.toLook = work.toLook.filter(isOutside);
  }

  #read(path: string, root: BigIntStats, work: Work): void {
    const readAtMs = Date.now();
    const absolute = this.#absoluteOf(path);
    const stats = path === '' ? root : statsOf(absolute);
    // Gone or replaced since it was seen: its parent has changed, too, and is read by the next scan.
    if (stats === null || isObstacle(stats) || !stats.isDirectory()) return;
    if (stats.dev !== root.dev) {
      this.#notCovered.set(path, 'another file system is mounted there');
      return;
    }
    const names = namesIn(absolute);
    if (names === null) return;
    const isNew = !this.#known.has(path);
    if (path !== '' && (isNew || this.#known.modeOf(path) !== Number(stats.mode))) {
      work.found.push({ ...directorySeen(path, stats), isNew });
    }
    this.#known.remember(path, stats, !isObstacle(names) && isSettled(stats, readAtMs));
    this.#notCovered.delete(path);
    this.#notCovered.forgetIn(path, (child) => this.#known.has(child));
    if (isObstacle(names)) {
      this.#notCovered.set(path, names.reason);
      return;
    }
    const reason = this.#budget.reasonFor(path);
    if (reason !== null) {
      this.#notCovered.set(path, reason);
      return;
    }
    for (const name of names.foreign) {
      this.#notCovered.set(childOf(path, name), 'has a name that is not valid UTF-8');
    }
    for (const name of names.others) this.#meet(childOf(path, name), work.toLook);
    for (const name of names.directories) {
      const child = childOf(path, name);
      if (isLeftOut(child, this.#options.leftOut)) {
        this.#notCovered.set(child, 'dependency or cache folder, left out');
      } else this.#meet(child, work.toRead);
    }
  }

  #meet(path: string, list: string[]): void {
    if (!this.#known.has(path)) list.push(path);
  }

  #keepWithinBudget(work: Work): void {
    const isFresh = (path: string): boolean => !this.#known.has(path);
    const sizeOf = (path: string): number => sizeAt(this.#absoluteOf(path));
    const leftOut = this.#budget.keep(work.toLook.filter(isFresh), sizeOf, this.#known.files);
    if (leftOut.length === 0) return;
    const isOut = (path: string): boolean => this.#budget.isOut(path);
    work.toLook = work.toLook.filter((path) => !isFresh(path) || !isOut(path));
    for (const { path, isNew } of work.found) if (isNew && isOut(path)) this.#forget(path);
    work.found = work.found.filter(({ path, isNew }) => !isNew || !isOut(path));
    for (const { path, reason } of leftOut) this.#notCovered.set(path, reason);
  }

  async #lookAtAll(paths: readonly string[], run: ScanRun): Promise<void> {
    let next = 0;
    let done = 0;
    const work = async (
      count: number,
      look: (some: readonly string[]) => readonly Looked[] | Promise<readonly Looked[]>,
    ): Promise<void> => {
      for (;;) {
        await run.pause();
        const some = paths.slice(next, next + count);
        if (some.length === 0) return;
        next += some.length;
        const looked = await look(some);
        run.found(looked.flatMap((one) => this.#note(one)));
        done += some.length;
        run.progress(done, paths.length);
      }
    };
    const ours = work(OWN_LOOKS_AT_ONCE, (some) =>
      some.map((path) => lookAt(path, this.#options, run.tellLarge)),
    );
    if (paths.length < 2 * PARTNER_LOOKS_AT_ONCE) return ours;
    const look = (some: readonly string[]): Promise<readonly Looked[]> =>
      run.partner().look(some, run.tellLarge);
    // Two pieces are on their way to the partner, so that it need not wait while this thread is at work itself.
    await Promise.all([work(PARTNER_LOOKS_AT_ONCE, look), work(PARTNER_LOOKS_AT_ONCE, look), ours]);
  }

  #note(looked: Looked): Found[] {
    const { path, state, stamp, isSettled: settled } = looked;
    const isNew = !this.#known.has(path);
    if (stamp === null) return isNew ? [] : [this.#forget(path)];
    this.#known.remember(path, stamp, settled);
    if (state.kind === 'skipped') this.#notCovered.set(path, state.reason);
    else this.#notCovered.delete(path);
    return [{ ...looked, isNew }];
  }

  #forget(path: string): Found {
    this.#known.forget(path);
    this.#notCovered.delete(path);
    this.#notCovered.forgetIn(path);
    return { ...gone(path), isNew: false };
  }

  #absoluteOf(path: string): string {
    return path === '' ? this.#options.root : `${this.#options.root}/${path}`;
  }
}
