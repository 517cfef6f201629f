/**
 * The crash matrix: each named step is killed, with its whole group of processes, at one call after another. `npm test` takes a
 * sample of the calls that change something; with CRASH_MATRIX=all it is every call.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastFolder } from '../helpers/folder.ts';
import { readTree, type Tree } from '../property/tree.ts';
import { checkAfterKill } from './after-kill.ts';
import { COMMAND_PARTS } from './command-turn.ts';
import { STEPS } from './kill-steps.ts';
import { buildKilledChild, type KilledChild } from './killed-child.ts';
import { type Model, prepareImport, prepareTurns, writeImportable } from './prepared-history.ts';

const EVERY_CALL = process.env.CRASH_MATRIX === 'all';
const FEWEST_OF_A_PHASE = 4;
const ONE_OF_CALLS = 40;
const AT_ONCE = 2;
const CHANGING =
  /^(sql COMMIT|mkdir|rmdir|unlink|rename|link|symlink|chmod|handle\.(write|writeFile|truncate|chmod))$/;

interface Kill {
  readonly phase: string;
  /** What was not done any more. */
  readonly before: string;
  /** Among the calls of the phase, or the parts of the command. */
  readonly number: number;
  readonly ofPart?: true;
}

interface Prepared {
  readonly folder: string;
  readonly model: Model;
}

let child: KilledChild;
beforeAll(async () => {
  child = await buildKilledChild();
});
afterAll(() => child.remove());

const table: Record<string, { calls: number; kills: number }> = {};
afterAll(() => console.table(table));

async function prepare(base: string, step: string): Promise<Prepared> {
  const folder = join(base, 'prepared');
  mkdirSync(folder);
  switch (step) {
    case 'import':
      return { folder, model: prepareImport(folder) };
    case 'migration':
      execFileSync('cp', ['-a', join(import.meta.dirname, '../helpers'), join(folder, 'files')]);
      return { folder, model: new Map([[1, readTree(folder)]]) };
    case 'forget': {
      const model = await prepareTurns(folder, { rewound: false });
      // An old list that was taken over long ago must not come back.
      writeImportable(folder);
      return { folder, model };
    }
    default:
      return { folder, model: await prepareTurns(folder, { rewound: step === 'redo' }) };
  }
}

function copyOf(folder: string, to: string): string {
  execFileSync('cp', ['-a', folder, to]);
  return to;
}

/** Every call, or evenly spaced ones of each phase: the first and the last among them. */
function choose(calls: readonly (readonly [string, string])[]): Kill[] {
  const phases = new Map<string, Kill[]>();
  for (const [phase, before] of calls) {
    const own = phases.get(phase) ?? [];
    phases.set(phase, [...own, { phase, before, number: own.length }]);
  }
  return [...phases.values()].flatMap((own) => (EVERY_CALL ? own : sampleOf(own)));
}

function sampleOf(all: readonly Kill[]): Kill[] {
  const changing = all.filter(({ before }) => CHANGING.test(before));
  const count = Math.min(changing.length, Math.max(FEWEST_OF_A_PHASE, Math.ceil(all.length / ONE_OF_CALLS)));
  const step = (changing.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => changing[Math.floor(index * step)]!);
}

const partsOfCommand = (): Kill[] =>
  Array.from({ length: COMMAND_PARTS.length + 1 }, (_, number): Kill => {
    return { phase: 'command', before: COMMAND_PARTS[number] ?? 'its end', number, ofPart: true };
  });

async function callsOf(step: string, root: string): Promise<(readonly [string, string])[]> {
  const { stdout, stderr, signal } = await child.run(root, step);
  expect({ stderr, signal }).toEqual({ stderr: '', signal: null });
  return JSON.parse(stdout) as [string, string][];
}

async function killOnce(
  step: string,
  { folder, model }: Prepared,
  whole: Tree,
  before: Tree,
  root: string,
  kill: Kill,
) {
  copyOf(folder, root);
  const shown = `${step}, killed in ${kill.phase} before ${kill.before} (${kill.number})`;
  const { signal, stderr } = await child.run(root, step, `${kill.number}`, kill.ofPart ? 'part' : kill.phase);
  expect({ signal, stderr }, shown).toEqual({ signal: endOf(step, signal), stderr: '' });
  await checkAfterKill({ root, step, model, before, whole, shown });
  rmSync(root, { recursive: true });
  const row = table[`${step}: ${kill.phase}`];
  if (row !== undefined && signal === 'SIGKILL') row.kills += 1;
}

/** Threads look at the folder around a command: by how they come along there are a few calls more or less, and the last may be missing. */
const endOf = (step: string, signal: NodeJS.Signals | null): NodeJS.Signals | null =>
  step === 'command' && signal === null ? null : 'SIGKILL';

describe('I8 a kill of the whole process group', () => {
  it.each(STEPS)('I8 $name', { timeout: 3_600_000 }, async ({ name }) => {
    const base = await fastFolder();
    const prepared = await prepare(base, name);
    const before = readTree(prepared.folder);
    if (name === 'recovery') {
      const calls = await callsOf('rewind', copyOf(prepared.folder, join(base, 'counted')));
      await child.run(prepared.folder, 'rewind', `${Math.floor(calls.length * 0.7)}`, 'rewind');
    }
    const undisturbed = copyOf(prepared.folder, join(base, 'undisturbed'));
    const calls = await callsOf(name, undisturbed);
    const whole = name === 'recovery' ? prepared.model.get(1)! : readTree(undisturbed);
    const kills = [...choose(calls), ...(name === 'command' ? partsOfCommand() : [])];
    for (const [phase] of calls) table[`${name}: ${phase}`] ??= { calls: 0, kills: 0 };
    for (const [phase] of calls) table[`${name}: ${phase}`]!.calls += 1;
    const limit = pLimit(AT_ONCE);
    const results = await Promise.allSettled(
      kills.map((kill, index) =>
        limit(() => killOnce(name, prepared, whole, before, join(base, `${index}`), kill)),
      ),
    );
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    for (const failure of failures) console.error(failure);
    expect(failures.map(String)).toEqual([]);
    for (const [phase] of calls) expect(table[`${name}: ${phase}`]?.kills, phase).toBeGreaterThan(1);
  });
});
