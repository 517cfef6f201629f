/** Fails the calls of a whole rewind, and of its undo: never half in silence, and always a way on and a way back. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { applyRewind, planRedo, planRewind, redo } from '../../electron/rewind/index.ts';
import { AppError } from '../../shared/errors.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import { CHANGING, faultyFileSystem, PlantedFault } from '../helpers/faulty-file-system.ts';
import { fastFolder } from '../helpers/folder.ts';
import { FIRST_TURN, makeMixedFolder } from '../helpers/mixed-folder.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { readTree, type Tree } from '../property/tree.ts';

const decisions = { conflicts: 'abort' } as const;
const goBack = (folder: OpenFolder, turn = FIRST_TURN): Promise<RewindReport> =>
  applyRewind({ ...folder, plan: { turn }, decisions, scope: 'files-only' });
const goForth = (folder: OpenFolder): Promise<RewindReport> => redo({ ...folder, decisions });

/** To before the oldest turn of which the cut-off redo brought something back. */
const goBackAgain = (folder: OpenFolder): Promise<RewindReport> => {
  const kept = folder.store.entries().filter(({ kind, status }) => kind === 'agent' && status === 'kept');
  return goBack(folder, kept.at(-1)?.turn);
};

let cases = 0;
afterAll(() => console.log(`${cases} failed calls of rewinds and redos`));

const stateAt = (tree: Tree, path: string): FileState => tree.get(path) ?? ABSENT;

interface Situation {
  /** A folder with its history, to be copied. */
  readonly prepared: string;
  readonly before: Tree;
  readonly wanted: Tree;
  readonly plan: Plan;
  readonly go: (folder: OpenFolder) => Promise<RewindReport>;
  readonly calls: PlantedFault['calls'];
}

async function prepare(base: string, kind: 'rewind' | 'redo'): Promise<Situation> {
  const prepared = join(base, 'prepared');
  mkdirSync(prepared);
  await makeMixedFolder(prepared);
  const go = kind === 'rewind' ? (folder: OpenFolder) => goBack(folder) : goForth;
  if (kind === 'redo') {
    const folder = await openFolder(prepared, { durability: 'process' });
    await goBack(folder);
    folder.store.close();
  }
  const undisturbed = join(base, 'undisturbed');
  execFileSync('cp', ['-a', prepared, undisturbed]);
  const counter = new PlantedFault(Number.POSITIVE_INFINITY, 'none');
  const { folder, run } = await openFaulty(undisturbed, counter, go);
  const plan = kind === 'rewind' ? await planRewind({ ...folder, turn: FIRST_TURN }) : await planRedo(folder);
  const before = readTree(undisturbed);
  await run();
  folder.store.close();
  return { prepared, before, wanted: readTree(undisturbed), plan, go, calls: counter.calls };
}

/** The fault counts from the beginning of `run`, not of the opening. */
async function openFaulty(root: string, fault: PlantedFault, go: Situation['go']) {
  let isOn = false;
  const onCall: PlantedFault['onCall'] = (call) => {
    if (isOn) fault.onCall(call);
  };
  const folder = await openFolder(root, {
    fs: faultyFileSystem(nodeFileSystem, onCall),
    onDatabaseCall: (sql) => onCall({ name: `sql ${sql.trim().split(/\s/)[0] ?? ''}`, path: '' }),
  });
  const run = async (): Promise<RewindReport | AppError> => {
    isOn = true;
    try {
      return await go(folder);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error;
    } finally {
      isOn = false;
    }
  };
  return { folder, run };
}

/** Every path of the plan is in the report once, and stands as the report says. */
function checkReport(
  report: RewindReport,
  { plan, before, wanted }: Situation,
  after: Tree,
  shown: string,
): void {
  const failed = report.failed.map(({ path }) => path);
  const same = plan.items.filter(({ verdict }) => verdict === 'same').map(({ path }) => path);
  const all = [...report.restored, ...report.deleted, ...report.kept, ...failed, ...report.notDone, ...same];
  expect(all.sort(), shown).toEqual(plan.items.map(({ path }) => path).sort());
  for (const path of [...report.restored, ...report.deleted]) {
    expect(stateAt(after, path), `${shown}: ${path} is done`).toEqual(stateAt(wanted, path));
  }
  for (const path of [...report.notDone, ...failed]) {
    // A directory makes room before a file takes its place: then nothing may stand there yet.
    const states = [stateAt(before, path), ABSENT];
    expect(states, `${shown}: ${path} is not done`).toContainEqual(stateAt(after, path));
  }
  for (const { reason } of report.failed) expect(reason, shown).not.toBe('');
}

async function check(
  situation: Situation,
  base: string,
  fault: PlantedFault,
  shown: string,
  onwards: boolean,
): Promise<void> {
  const { prepared, before, go } = situation;
  const root = join(base, 'case');
  execFileSync('cp', ['-a', prepared, root]);
  try {
    const { folder, run } = await openFaulty(root, fault, go);
    const result = await run();
    const after = readTree(root);
    if (!(result instanceof AppError)) checkReport(result, situation, after, shown);
    else {
      expect(result.message, shown).toMatch(/^\S.* .*\.$/s);
      if (result.code !== 'rewind-failed') expect(after, `${shown}: ${result.message}`).toEqual(before);
    }
    folder.store.close();
    await checkTheWayOn(root, situation, onwards, shown);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** After the next opening: continuing comes to the end, or undoing comes to where it began. */
async function checkTheWayOn(
  root: string,
  { before, wanted, go, plan }: Situation,
  onwards: boolean,
  shown: string,
): Promise<void> {
  const folder = await openFolder(root, { durability: 'process' });
  try {
    expect(folder.store.pendingCaptures(), shown).toEqual([]);
    const target = onwards ? wanted : before;
    if (!isDeepStrictEqual(readTree(root), target)) {
      if (onwards) await go(folder);
      else await (plan.kind === 'rewind' ? goForth(folder) : goBackAgain(folder));
    }
    expect(readTree(root), `${shown}: ${onwards ? 'continued' : 'put back'}`).toEqual(target);
    expect(await folder.store.verify(), shown).toMatchObject({ ok: true, missing: [], damaged: [] });
  } finally {
    folder.store.close();
  }
}

/** Every other call that changes the disk, and a few of the rest; the disk fails once, or is full or broken from there on. */
function faultsOf({ calls }: Situation): { at: number; code: string; lasts: boolean }[] {
  const isChange = (name: string): boolean =>
    CHANGING.has(name) || name === 'sql COMMIT' || name === 'handle.sync';
  const at = calls.map((_, index) => index);
  const changes = at.filter((index) => isChange(calls[index]?.name ?? ''));
  const chosen = [
    ...changes.filter((_, index) => index % 2 === 0),
    ...at.filter((index) => index % 30 === 7),
  ];
  return chosen.map((at, index) => ({ at, ...KINDS[index % KINDS.length]! }));
}

const KINDS = [
  { code: 'EIO', lasts: false },
  { code: 'ENOSPC', lasts: true },
  { code: 'EACCES', lasts: false },
  { code: 'EIO', lasts: true },
  { code: 'ENOSPC', lasts: false },
];

describe('a rewind on a failing disk', () => {
  it.each(['rewind', 'redo'] as const)('%s', { timeout: 600_000 }, async (kind) => {
    const base = await fastFolder();
    const situation = await prepare(base, kind);
    expect(situation.plan.items.length).toBeGreaterThan(20);
    const faults = faultsOf(situation);
    expect(faults.length).toBeGreaterThan(80);
    for (const [index, { at, code, lasts }] of faults.entries()) {
      cases += 1;
      const shown = `${kind}: ${code} ${lasts ? 'from' : 'at'} call ${at}, ${situation.calls[at]?.name}`;
      await check(situation, base, new PlantedFault(at, code, lasts), shown, (index >> 1) % 2 === 0);
    }
  });
});
