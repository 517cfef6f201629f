/** Hundreds of random histories with steps that nobody can see into; a failure prints its seed and its steps. */

import { expect, it } from 'vitest';
import { runShellHistories } from './run-histories.ts';

const HISTORIES = 500;

it(`P2 ${HISTORIES} random histories with scripts: every rewind, redo and plan is as the model says`, {
  timeout: 600_000,
}, async () => {
  const failures: unknown[] = [];
  const seeds = Array.from({ length: HISTORIES }, (_, index) => index + 1);
  const total = await runShellHistories(seeds.values(), (error) => failures.push(error));
  console.log('Histories with scripts:', total);
  for (const failure of failures) console.error(failure);
  expect(failures).toHaveLength(0);
  // The random steps must not have missed what they are there for.
  expect(total.rewinds).toBeGreaterThan(HISTORIES / 2);
  expect(total.exact).toBeGreaterThan(HISTORIES / 5);
  expect(total.conflicts).toBeGreaterThan(HISTORIES / 10);
});
