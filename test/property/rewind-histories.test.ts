/** Thousands of random histories; a failure prints its seed, and `runHistory(SEED)` runs it again. */

import { expect, it } from 'vitest';
import { addCounts, noCounts, runHistory } from './history.ts';

const HISTORIES = 2000;

it(`P1 ${HISTORIES} random histories: every rewind, redo and plan is as the model says`, {
  timeout: 600_000,
}, async () => {
  const total = noCounts();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    addCounts(total, await runHistory(seed));
  }
  console.log(`${HISTORIES} histories:`, total);
  // The random steps must not have missed what they are there for.
  expect(total.rewinds).toBeGreaterThan(HISTORIES / 2);
  expect(total.redos).toBeGreaterThan(HISTORIES / 10);
  expect(total.conflicts).toBeGreaterThan(HISTORIES / 10);
});
