/** Runs random histories of both kinds for as long as asked: `npm run soak -- --minutes 30 [--seed 1]`. */

import { parseArgs } from 'node:util';
import { addCounts, noCounts, runHistory } from './history.ts';
import { runShellHistories } from './run-histories.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const start = Date.now();
const end = start + Number(values.minutes) * 60_000;
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
let failures = 0;

const failed = (error: unknown): void => {
  failures += 1;
  console.error(error);
};

function* seedsUntil(time: number): Generator<number> {
  for (let seed = first; Date.now() < time; seed += 1) yield seed;
}

console.log(`First seed: ${first}`);
const byTools = { histories: 0, ...noCounts() };
for (const seed of seedsUntil(start + (end - start) / 3)) {
  byTools.histories += 1;
  try {
    addCounts(byTools, await runHistory(seed));
  } catch (error) {
    failed(error);
  }
}
console.log('Histories with tools alone:', byTools);
console.log('Histories with scripts:', await runShellHistories(seedsUntil(end), failed));
console.log(`${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
