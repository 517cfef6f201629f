/** Runs many histories at a time, so that each of them grows old between two of its steps: files that changed long ago are told by their times alone. */

import { addCounts, type HistoryCounts, noCounts, runHistory } from './history.ts';
import { Shell } from './shell.ts';

/** With these, a step comes some seconds after the one before. */
const AT_ONCE = 100;
const SHELLS = 2;

/** Histories with scripts. A failure is told, and the others go on. */
export async function runShellHistories(
  seeds: Iterator<number>,
  failed: (error: unknown) => void,
): Promise<HistoryCounts & { histories: number }> {
  const total = { histories: 0, ...noCounts() };
  const shells = Array.from({ length: SHELLS }, () => new Shell());
  const runNext = async (shell: Shell): Promise<void> => {
    for (let seed = seeds.next(); seed.done !== true; seed = seeds.next()) {
      total.histories += 1;
      try {
        addCounts(total, await runHistory(seed.value, shell));
      } catch (error) {
        failed(error);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE / SHELLS }, () => shells.map(runNext)).flat());
  } finally {
    for (const shell of shells) shell.close();
  }
  return total;
}
