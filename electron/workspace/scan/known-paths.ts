/** The paths that a scan knows of, by number; the number is the place in the table of stats. */

import { lstatSync } from 'node:fs';
import { type Stamp, StatTable } from './stat-table.ts';

export class KnownPaths {
  readonly #indexOf = new Map<string, number>();
  /** null where a path was forgotten. */
  readonly #paths: (string | null)[] = [];
  readonly #free: number[] = [];
  readonly #changed = new Set<number>();
  readonly table = new StatTable();

  get size(): number {
    return this.#indexOf.size;
  }

  /** Numbers are below this. */
  get end(): number {
    return this.#paths.length;
  }

  has(path: string): boolean {
    return this.#indexOf.has(path);
  }

  indexOf(path: string): number | null {
    return this.#indexOf.get(path) ?? null;
  }

  pathAt(index: number): string | null {
    return this.#paths[index] ?? null;
  }

  paths(): Iterable<string> {
    return this.#indexOf.keys();
  }

  /** The numbers whose path changed since the last call, with what it is now; null is forgotten. */
  takeChanged(): [index: number, path: string | null][] {
    const changed = [...this.#changed].map((index): [number, string | null] => [index, this.pathAt(index)]);
    this.#changed.clear();
    return changed;
  }

  remember(path: string, stats: Stamp, isSettled: boolean): number {
    const index = this.#indexOf.get(path) ?? this.#free.pop() ?? this.#paths.length;
    if (this.#paths[index] !== path) this.#changed.add(index);
    this.#paths[index] = path;
    this.#indexOf.set(path, index);
    this.table.set(index, stats, isSettled);
    return index;
  }

  forget(path: string): number | null {
    const index = this.#indexOf.get(path);
    if (index === undefined) return null;
    this.#indexOf.delete(path);
    this.#paths[index] = null;
    this.#changed.add(index);
    this.#free.push(index);
    return index;
  }
}

/** The numbers in [from, to) whose path is not as the table has it, or gone. */
export function differing(
  root: string,
  pathAt: (index: number) => string | null,
  table: StatTable,
  from: number,
  to: number,
): number[] {
  const found: number[] = [];
  for (let index = from; index < to; index += 1) {
    const path = pathAt(index);
    if (path === null) continue;
    if (!isAsKnown(path === '' ? root : `${root}/${path}`, table, index)) found.push(index);
  }
  return found;
}

function isAsKnown(absolute: string, table: StatTable, index: number): boolean {
  try {
    const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && table.isUnchanged(index, stats);
  } catch {
    // A parent that was closed to us; who looks at the path closely will say so.
    return false;
  }
}
