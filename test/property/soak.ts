/** Runs random histories for as long as asked: `npm run soak -- --minutes 30 [--seed 1]`. */

import { parseArgs } from 'node:util';
import { runHistory } from './history.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const total = { histories: 0, rewinds: 0, redos: 0, conflicts: 0, blocked: 0, failures: 0 };
let nextNote = Date.now() + 60_000;

console.log(`First seed: ${first}`);
for (let seed = first; Date.now() < end; seed += 1) {
  try {
    const counts = await runHistory(seed);
    total.rewinds += counts.rewinds;
    total.redos += counts.redos;
    total.conflicts += counts.conflicts;
    total.blocked += counts.blocked;
  } catch (error) {
    total.failures += 1;
    console.error(error);
  }
  total.histories += 1;
  if (Date.now() > nextNote) {
    console.log(total);
    nextNote += 60_000;
  }
}
console.log(total);
process.exitCode = total.failures === 0 ? 0 : 1;
