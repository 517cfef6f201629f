/** The paths that a scan knows of, by number; the number is the place in the table of stats. */

import { constants } from 'node:fs';
import { type Stamp, StatTable } from './stat-table.ts';

export type ChangedPath = readonly [index: number, absolute: string | null];

export class KnownPaths {
  readonly table = new StatTable();
  readonly #root: string;
  readonly #maxFileBytes: number;
  readonly #indexOf = new Map<string, number>();
  /** null where a path was forgotten. */
  readonly #paths: (string | null)[] = [];
  /** Made once: putting a path together takes as long as asking the system for its stats. */
  readonly #absolutes: (string | null)[] = [];
  readonly #free: number[] = [];
  readonly #changed = new Set<number>();
  #files = 0;
  #bytes = 0;

  /** Larger files count for nothing: their content is not held. */
  constructor(root: string, maxFileBytes: number) {
    this.#root = root;
    this.#maxFileBytes = maxFileBytes;
  }

  get size(): number {
    return this.#indexOf.size;
  }

  /** Numbers are below this. */
  get end(): number {
    return this.#paths.length;
  }

  /** How many of the paths are no directories, and what they hold together. */
  get files(): { readonly count: number; readonly bytes: number } {
    return { count: this.#files, bytes: this.#bytes };
  }

  /** By number. */
  get absolutes(): readonly (string | null)[] {
    return this.#absolutes;
  }

  has(path: string): boolean {
    return this.#indexOf.has(path);
  }

  pathAt(index: number): string | null {
    return this.#paths[index] ?? null;
  }

  paths(): Iterable<string> {
    return this.#indexOf.keys();
  }

  isDirectory(path: string): boolean {
    const index = this.#indexOf.get(path);
    return index !== undefined && isDirectoryMode(this.table.modeAt(index));
  }

  modeOf(path: string): number | null {
    const index = this.#indexOf.get(path);
    return index === undefined ? null : this.table.modeAt(index);
  }

  /** The numbers whose path changed since the last call, with what it is now; null is forgotten. */
  takeChanged(): ChangedPath[] {
    const changed = [...this.#changed].map((index): ChangedPath => [index, this.#absolutes[index] ?? null]);
    this.#changed.clear();
    return changed;
  }

  remember(path: string, stamp: Stamp, isSettled: boolean): void {
    let index = this.#indexOf.get(path);
    if (index === undefined) {
      index = this.#free.pop() ?? this.#paths.length;
      this.#paths[index] = path;
      this.#absolutes[index] = path === '' ? this.#root : `${this.#root}/${path}`;
      this.#indexOf.set(path, index);
      this.#changed.add(index);
    } else {
      this.#count(index, -1);
    }
    this.table.set(index, stamp, isSettled);
    this.#count(index, 1);
  }

  forget(path: string): void {
    const index = this.#indexOf.get(path);
    if (index === undefined) return;
    this.#count(index, -1);
    this.#indexOf.delete(path);
    this.#paths[index] = null;
    this.#absolutes[index] = null;
    this.#changed.add(index);
    this.#free.push(index);
  }

  #count(index: number, by: 1 | -1): void {
    if (isDirectoryMode(this.table.modeAt(index))) return;
    const bytes = this.table.sizeAt(index);
    this.#files += by;
    this.#bytes += bytes > this.#maxFileBytes ? 0 : by * bytes;
  }
}

const isDirectoryMode = (mode: number): boolean => (mode & constants.S_IFMT) === constants.S_IFDIR;
