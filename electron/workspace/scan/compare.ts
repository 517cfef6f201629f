/** Finds the known paths that are not as they were; several threads share the work by a counter in shared memory. */

import { lstatSync } from 'node:fs';
import type { StatTable } from './stat-table.ts';

/** Few enough that all threads end at about the same time. */
const TAKEN_AT_ONCE = 64;
/** One object for all calls: this is the innermost loop of every scan. */
const QUIETLY = { throwIfNoEntry: false } as const;

export interface Comparison {
  /** Absolute paths by number. */
  readonly paths: readonly (string | null)[];
  readonly table: StatTable;
  /** Numbers are below this. */
  readonly end: number;
  /** The next number that nobody has taken. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

export const newCounter = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4));

/** The numbers whose path is not as the table has it, or gone, out of those that this thread took. */
export function differing({ paths, table, end, next }: Comparison): number[] {
  const found: number[] = [];
  for (;;) {
    const from = Atomics.add(next, 0, TAKEN_AT_ONCE);
    if (from >= end) return found;
    const to = Math.min(from + TAKEN_AT_ONCE, end);
    for (let index = from; index < to; index += 1) {
      const path = paths[index];
      if (typeof path === 'string' && !isAsKnown(path, table, index)) found.push(index);
    }
  }
}

function isAsKnown(path: string, table: StatTable, index: number): boolean {
  try {
    const stats = lstatSync(path, QUIETLY);
    return stats !== undefined && table.isUnchanged(index, stats);
  } catch {
    // Who looks at the path closely will say what is in the way.
    return false;
  }
}
