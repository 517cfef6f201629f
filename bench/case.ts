/** What a benchmark case is, and the shape of its rows (the JSON that `--json` writes). */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: Spread;
  readonly peer: string;
  readonly peerValue: Spread;
  /** ours / peer of the medians, both measured in the same run, in turns. */
  readonly ratio: number;
  /** The row holds when the ratio is at most this. */
  readonly must: number;
  readonly goal: number;
  readonly holds: boolean;
}

export interface BenchCase {
  readonly name: string;
  /** One sentence: what is compared with what. */
  readonly about: string;
  /** `say` prints a line for people (a table, a remark). */
  run(say: (line: string) => void): Promise<readonly Row[]>;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly peer: string;
  readonly must: number;
  readonly goal: number;
}

export function rowOf(comparison: Comparison, ours: readonly number[], peer: readonly number[]): Row {
  const oursSpread = spreadOf(ours);
  const peerValue = spreadOf(peer);
  // Nothing against nothing is as good as the peer, not a division by zero.
  const ratio = oursSpread.median === 0 ? 0 : oursSpread.median / peerValue.median;
  return { ...comparison, ours: oursSpread, peerValue, ratio, holds: ratio <= comparison.must };
}

/** Runs both in turns (ours, peer, ours, peer ...), so that a drift of the machine's speed meets both alike. */
export async function inTurns(
  rounds: number,
  ours: (round: number) => Promise<number>,
  peer: (round: number) => Promise<number>,
): Promise<{ ours: number[]; peer: number[] }> {
  const measured = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    measured.ours.push(await ours(round));
    measured.peer.push(await peer(round));
  }
  return measured;
}

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
