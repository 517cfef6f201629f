/**
 * A process that does one step in a folder and, at a call, kills the whole group of processes it is in:
 * `rewind-child.ts ROOT STEP NUMBER PHASE`: at that call of the phase, or `NUMBER part` of its command. Without a number it prints the
 * calls of the step, as `[phase, call][]`.
 */

import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { faultyFileSystem } from '../helpers/faulty-file-system.ts';
import { STEPS } from './kill-steps.ts';

const [root = '', name, number, fatalPhase] = process.argv.slice(2);
const step = STEPS.find((each) => each.name === name);
if (step === undefined) throw new Error(`There is no step ${name}.`);

const calls: [phase: string, call: string][] = [];
let phase: string | null = null;
let left = Number(number);
const onCall = (call: string): void => {
  if (phase === null) return;
  if (phase === fatalPhase) {
    if (left === 0) process.kill(0, 'SIGKILL');
    left -= 1;
  }
  calls.push([phase, call]);
};

await step.run({
  root,
  fs: faultyFileSystem(nodeFileSystem, (call) => onCall(call.name)),
  onDatabaseCall: (sql) => onCall(`sql ${sql.trim().split(/\s/, 1)[0] ?? ''}`),
  phase: (begun) => {
    phase = begun;
  },
  killAfterPart: fatalPhase === 'part' ? Number(number) : null,
});
if (number === undefined) process.stdout.write(JSON.stringify(calls));
process.exit(0);
