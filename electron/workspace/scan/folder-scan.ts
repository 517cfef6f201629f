/**
 * Finds what is different in a folder since the last time: compares every known path with what lstat says, reads the
 * directories that changed, and looks closely at the rest. Two threads share the comparing and the looking.
 */

import { lstatSync, readdirSync } from 'node:fs';
import type { FileState } from '../../../shared/file-state.ts';
import { isReservedName } from '../../../shared/rel-path.ts';
import { isSystemError } from '../../base/io-errors.ts';
import { MODE_BITS } from '../file-state.ts';
import { isLeftOut, type LeftOut } from '../left-out.ts';
import { type Budget, foldersOverBudget } from './budget.ts';
import { differing, KnownPaths } from './known-paths.ts';
import { isSettled, type Looked, type LookOptions, lookAt, stampOf } from './look.ts';
import type { Stamp } from './stat-table.ts';

/** Small enough that both threads end at about the same time, and that Stop is heard soon. */
const LOOKS_AT_ONCE = 100;

export interface FolderScanOptions extends LookOptions {
  readonly leftOut: LeftOut;
  readonly budget: Budget;
}

/** The other thread. */
export interface Partner {
  /** The numbers in [from, to) that differ, with what it must know of the paths first. */
  differing(known: KnownPaths, from: number, to: number): Promise<number[]>;
  look(paths: readonly string[]): Promise<Looked[]>;
}

export interface ScanEvents {
  /** What was looked at; more may come while the caller still works on it. */
  readonly found: (looked: readonly Looked[]) => void;
  readonly progress: (done: number, total: number) => void;
  readonly isStopped: () => boolean;
}

export class FolderScan {
  readonly #options: FolderScanOptions;
  readonly #known = new KnownPaths();
  /** Why a path is not covered, or not as a whole. */
  readonly #reasons = new Map<string, string>();
  readonly #overBudget = new Set<string>();
  /** Known paths in folders that were closed to us meanwhile: nobody knows whether they are there. */
  readonly #unseen = new Set<string>();

  constructor(options: FolderScanOptions) {
    this.#options = options;
  }

  /** What an earlier process knew. Its directories are read again, since what they hold besides was not kept. */
  load(path: string, stamp: Stamp, state: FileState): void {
    if (this.#isInLeftOut(path, state.kind === 'directory')) return;
    const isLarge = stamp.size > BigInt(this.#options.maxFileBytes);
    const isTrusted =
      state.kind === 'symlink' ||
      (state.kind === 'content' && !isLarge) ||
      (state.kind === 'skipped' && isLarge);
    this.#known.remember(path, stamp, isTrusted);
    if (state.kind === 'skipped') this.#reasons.set(path, state.reason);
  }

  async scan(partner: Partner, events: ScanEvents): Promise<void> {
    const found: Looked[] = [];
    const toLook: string[] = [];
    const toRead: string[] = this.#known.has('') ? [] : [''];
    this.#unseen.clear();
    for (const index of await this.#differing(partner)) this.#sort(index, found, toLook, toRead);
    for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
      if (events.isStopped()) return;
      this.#read(path, found, toLook, toRead);
    }
    const fitting = toLook.length === 0 ? toLook : this.#withinBudget(toLook, found);
    events.found(found);
    await this.#look(fitting, partner, events);
  }

  get notCovered(): { path: string; reason: string }[] {
    const unseen = [...this.#unseen].map((path) => ({ path, reason: 'cannot be seen: permission denied' }));
    return [...[...this.#reasons].map(([path, reason]) => ({ path, reason })), ...unseen];
  }

  get size(): number {
    return this.#known.size;
  }

  async #differing(partner: Partner): Promise<number[]> {
    const known = this.#known;
    const middle = Math.ceil(known.end / 2);
    const theirs = partner.differing(known, middle, known.end);
    const ours = differing(this.#options.root, (index) => known.pathAt(index), known.table, 0, middle);
    return [...ours, ...(await theirs)];
  }

  /** What to do about a known path that is not as it was. */
  #sort(index: number, found: Looked[], toLook: string[], toRead: string[]): void {
    const path = this.#known.pathAt(index);
    if (path === null) return;
    const stats = this.#lstat(path);
    if (stats === 'closed') this.#unseen.add(path);
    else if (stats === undefined) found.push(this.#forget(path));
    else if (stats.isDirectory()) toRead.push(path);
    else toLook.push(path);
  }

  #read(path: string, found: Looked[], toLook: string[], toRead: string[]): void {
    const { root, leftOut } = this.#options;
    const stats = this.#lstat(path);
    // Gone or replaced since it was seen; its parent has changed then, too.
    if (stats === undefined || stats === 'closed' || !stats.isDirectory()) return;
    this.#reasons.delete(path);
    const readAtMs = Date.now();
    let names: Buffer[];
    try {
      names = readdirSync(path === '' ? root : `${root}/${path}`, { encoding: 'buffer' });
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return;
      if (!isSystemError(error, 'EACCES', 'EPERM')) throw error;
      this.#reasons.set(path, 'cannot be read: permission denied');
      names = [];
    }
    if (path !== '') this.#noteDirectory(path, stats, found);
    this.#known.remember(path, stats, isSettled(stats, readAtMs));
    this.#forgetReasonsIn(path);
    for (const bytes of names) {
      const name = bytes.toString('utf8');
      if (isReservedName(name)) continue;
      const child = path === '' ? name : `${path}/${name}`;
      if (Buffer.compare(Buffer.from(name, 'utf8'), bytes) !== 0) {
        this.#reasons.set(child, `has a name that is not valid UTF-8 (${escaped(bytes)})`);
        continue;
      }
      if (this.#known.has(child)) continue;
      const childStats = this.#lstat(child);
      if (childStats === undefined || childStats === 'closed') continue;
      if (!childStats.isDirectory()) toLook.push(child);
      else if (this.#overBudget.has(child)) this.#reasons.set(child, OVER_BUDGET);
      else if (isLeftOut(child, leftOut)) this.#reasons.set(child, 'dependency or cache folder, left out');
      else if (childStats.dev !== stats.dev) this.#reasons.set(child, 'another file system is mounted there');
      else toRead.push(child);
    }
  }

  #noteDirectory(path: string, stats: Stamp, found: Looked[]): void {
    const index = this.#known.indexOf(path);
    if (index !== null && this.#known.table.modeAt(index) === stats.mode) return;
    const state: FileState = { kind: 'directory', mode: Number(stats.mode) & MODE_BITS };
    found.push({ path, state, seen: state, stamp: stampOf(stats), isSettled: true });
  }

  async #look(paths: readonly string[], partner: Partner, events: ScanEvents): Promise<void> {
    let next = 0;
    let done = 0;
    const work = async (look: (some: readonly string[]) => Promise<Looked[]> | Looked[]): Promise<void> => {
      while (next < paths.length && !events.isStopped()) {
        const some = paths.slice(next, next + LOOKS_AT_ONCE);
        next += some.length;
        const looked = await look(some);
        for (const one of looked) this.#note(one);
        events.found(looked);
        done += some.length;
        events.progress(done, paths.length);
        // Lets the messages of the other threads in.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([
      work((some) => partner.look(some)),
      work((some) => some.map((path) => lookAt(path, this.#options))),
    ]);
  }

  #note({ path, state, stamp, isSettled: settled }: Looked): void {
    if (stamp === null) {
      this.#forget(path);
      return;
    }
    this.#known.remember(path, stamp, settled);
    if (state.kind === 'skipped') this.#reasons.set(path, state.reason);
    else this.#reasons.delete(path);
  }

  #forget(path: string): Looked {
    this.#known.forget(path);
    this.#reasons.delete(path);
    this.#forgetReasonsIn(path);
    return { path, state: { kind: 'absent' }, seen: { kind: 'absent' }, stamp: null, isSettled: true };
  }

  /** Of what is not known: it is seen again by reading the directory, or it is gone. */
  #forgetReasonsIn(directory: string): void {
    for (const path of this.#reasons.keys()) {
      const cut = path.lastIndexOf('/');
      if ((cut === -1 ? '' : path.slice(0, cut)) === directory && !this.#known.has(path))
        this.#reasons.delete(path);
    }
  }

  #withinBudget(toLook: readonly string[], found: Looked[]): readonly string[] {
    const files = [...this.#sizes(toLook)];
    const folders = foldersOverBudget(files, this.#options.budget);
    if (folders.length === 0) return toLook;
    for (const folder of folders) {
      this.#overBudget.add(folder);
      for (const path of [...this.#known.paths()]) {
        if (path === folder || path.startsWith(`${folder}/`)) this.#known.forget(path);
      }
      this.#reasons.set(folder, OVER_BUDGET);
    }
    const isOut = (path: string): boolean =>
      folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
    found.splice(0, found.length, ...found.filter(({ path, stamp }) => stamp === null || !isOut(path)));
    return toLook.filter((path) => !isOut(path));
  }

  *#sizes(toLook: readonly string[]): Generator<{ path: string; bytes: number }> {
    const { maxFileBytes } = this.#options;
    const held = (bytes: number): number => (bytes > maxFileBytes ? 0 : bytes);
    const fresh = new Set(toLook);
    for (const path of this.#known.paths()) {
      const index = this.#known.indexOf(path);
      if (index === null || fresh.has(path) || isDirectoryMode(this.#known.table.modeAt(index))) continue;
      yield { path, bytes: held(this.#known.table.sizeAt(index)) };
    }
    for (const path of fresh) yield { path, bytes: held(this.#sizeOnDisk(path)) };
  }

  #sizeOnDisk(path: string): number {
    const stats = this.#lstat(path);
    return stats === undefined || stats === 'closed' ? 0 : Number(stats.size);
  }

  #isInLeftOut(path: string, isDirectory: boolean): boolean {
    const names = path.split('/');
    const folders = isDirectory ? names.length : names.length - 1;
    return names
      .slice(0, folders)
      .some((_, index) => isLeftOut(names.slice(0, index + 1).join('/'), this.#options.leftOut));
  }

  #lstat(path: string) {
    const absolute = path === '' ? this.#options.root : `${this.#options.root}/${path}`;
    try {
      return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (isSystemError(error, 'EACCES', 'EPERM')) return 'closed';
      throw error;
    }
  }
}

const OVER_BUDGET = 'one of the largest folders, left out because the folder is over the budget';

const FILE_TYPE_BITS = 0o170000n;
const DIRECTORY_TYPE = 0o040000n;
const isDirectoryMode = (mode: bigint): boolean => (mode & FILE_TYPE_BITS) === DIRECTORY_TYPE;

/** Bytes that are no text, as `\xHH`. */
const escaped = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
