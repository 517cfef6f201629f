/** What lstat said of each known path, in memory that two threads share: comparing tens of thousands of paths needs no messages. */

/** The part of what lstat says that tells of a change. */
export interface Stamp {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
}

const FIELDS = 5;
const FIRST_CAPACITY = 1024;

/** A path that must be looked at again whatever lstat says is remembered with this time of change. */
export const NEVER = 0n;

export class StatTable {
  #fields: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(FIRST_CAPACITY * FIELDS * 8)) {
    this.#fields = new BigInt64Array(buffer);
  }

  /** To make the same table in another thread. It is another one after a call of `set` beyond its end. */
  get buffer(): SharedArrayBuffer {
    return this.#fields.buffer as SharedArrayBuffer;
  }

  /** `isSettled`: the stats tell of every later change; otherwise the path differs at the next comparison. */
  set(index: number, stats: Stamp, isSettled: boolean): void {
    const at = index * FIELDS;
    if (at + FIELDS > this.#fields.length) this.#grow(at + FIELDS);
    this.#fields[at] = stats.size;
    this.#fields[at + 1] = stats.mtimeNs;
    this.#fields[at + 2] = isSettled ? stats.ctimeNs : NEVER;
    this.#fields[at + 3] = BigInt.asIntN(64, stats.ino);
    this.#fields[at + 4] = stats.mode;
  }

  isUnchanged(index: number, stats: Stamp): boolean {
    const at = index * FIELDS;
    const fields = this.#fields;
    return (
      fields[at + 2] === stats.ctimeNs &&
      fields[at + 1] === stats.mtimeNs &&
      fields[at] === stats.size &&
      fields[at + 4] === stats.mode &&
      fields[at + 3] === BigInt.asIntN(64, stats.ino)
    );
  }

  sizeAt(index: number): number {
    return Number(this.#fields[index * FIELDS]);
  }

  modeAt(index: number): bigint {
    return this.#fields[index * FIELDS + 4] ?? NEVER;
  }

  #grow(length: number): void {
    const larger = new BigInt64Array(new SharedArrayBuffer(Math.max(length, this.#fields.length * 2) * 8));
    larger.set(this.#fields);
    this.#fields = larger;
  }
}
