/** What lstat said of each known path, in memory that two threads share: comparing tens of thousands of paths needs no messages. */

import type { Stats } from 'node:fs';

/** The part of what lstat says that tells of a change. */
export interface Stamp {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
}

/** A path that must be looked at again whatever lstat says is remembered with this time of change. */
export const NEVER = 0n;

const FIELDS = 5;
const FIRST_CAPACITY = 1024;
const NS_PER_SECOND = 1_000_000_000n;

/** Numbers, not bigints: they are compared at each scan, and tell times a quarter of a microsecond apart. */
export class StatTable {
  #fields: Float64Array<SharedArrayBuffer>;

  constructor(buffer = new SharedArrayBuffer(FIRST_CAPACITY * FIELDS * 8)) {
    this.#fields = new Float64Array(buffer);
  }

  /** To make the same table in another thread. It is another one after a call of `set` beyond its end. */
  get buffer(): SharedArrayBuffer {
    return this.#fields.buffer;
  }

  /** `isSettled`: the stats tell of every later change; otherwise the path differs at the next comparison. */
  set(index: number, stamp: Stamp, isSettled: boolean): void {
    const at = index * FIELDS;
    if (at + FIELDS > this.#fields.length) this.#grow(at + FIELDS);
    this.#fields[at] = Number(stamp.size);
    this.#fields[at + 1] = milliseconds(stamp.mtimeNs);
    this.#fields[at + 2] = milliseconds(isSettled ? stamp.ctimeNs : NEVER);
    this.#fields[at + 3] = Number(stamp.ino);
    this.#fields[at + 4] = Number(stamp.mode);
  }

  isUnchanged(index: number, stats: Stats): boolean {
    const at = index * FIELDS;
    const fields = this.#fields;
    return (
      fields[at + 2] === stats.ctimeMs &&
      fields[at + 1] === stats.mtimeMs &&
      fields[at] === stats.size &&
      fields[at + 3] === stats.ino &&
      fields[at + 4] === stats.mode
    );
  }

  sizeAt(index: number): number {
    return this.#fields[index * FIELDS] ?? 0;
  }

  modeAt(index: number): number {
    return this.#fields[index * FIELDS + 4] ?? 0;
  }

  #grow(length: number): void {
    const larger = new Float64Array(new SharedArrayBuffer(Math.max(length, this.#fields.length * 2) * 8));
    larger.set(this.#fields);
    this.#fields = larger;
  }
}

/** Exactly as lstat makes its numbers of seconds and nanoseconds; any other rounding would look like a change. */
const milliseconds = (ns: bigint): number =>
  Number(ns / NS_PER_SECOND) * 1000 + Number(ns % NS_PER_SECOND) / 1e6;
