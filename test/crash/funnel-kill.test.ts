/** Kills the funnel and its history at every call that changes the disk: the folder opens, each path is old or new, and goes back. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyRewind, planRewind, redo } from '../../electron/rewind/index.ts';
import { isTempName } from '../../electron/workspace/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import { CrashImages } from '../helpers/crash-images.ts';
import { fastFolder, temporaryFolder } from '../helpers/folder.ts';
import { OPERATIONS, type Operation, prepareFolder } from '../helpers/funnel-operations.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { readTree, type Tree } from '../property/tree.ts';

let kills = 0;
afterAll(() => console.log(`${kills} kills of the funnel`));

const TURN = asTurnNumber(1);

async function takeImages(operation: Operation): Promise<{ images: CrashImages; before: Tree; whole: Tree }> {
  const base = await fastFolder();
  const root = join(base, 'folder');
  mkdirSync(root);
  prepareFolder(root, operation);
  const before = readTree(root);
  const images = new CrashImages(root, base);
  const { store, funnel } = await openFolder(root, { fs: images.fs, onDatabaseCall: images.onDatabaseCall });
  images.start();
  const entry = store.beginTurn({ label: 'a turn', agent: 'practice', chatHead: null });
  await operation.run(funnel, entry);
  store.finishTurn(entry.turn, 'done');
  images.stop();
  store.close();
  return { images, before, whole: readTree(root) };
}

/** Opens the folder again, as the next start of the app does. */
async function checkAfterKill(root: string, before: Tree, whole: Tree, shown: string): Promise<void> {
  const folder = await openFolder(root, { durability: 'process' });
  try {
    const tree = readTree(root);
    for (const path of new Set([...before.keys(), ...tree.keys(), ...whole.keys()])) {
      const states = [before.get(path) ?? ABSENT, whole.get(path) ?? ABSENT];
      expect(states, `${shown}: ${path} is old or new`).toContainEqual(tree.get(path) ?? ABSENT);
      expect(isTempName(path.split('/').at(-1) ?? ''), `${shown}: ${path} is left over`).toBe(false);
    }
    expect(folder.store.pendingCaptures(), shown).toEqual([]);
    if (folder.store.entry(TURN) === null) expect(tree, shown).toEqual(before);
    else await checkGoingBack(folder, root, before, tree, shown);
    expect(await folder.store.verify(), shown).toMatchObject({ ok: true, missing: [], damaged: [] });
  } finally {
    folder.store.close();
  }
}

async function checkGoingBack(
  folder: OpenFolder,
  root: string,
  before: Tree,
  tree: Tree,
  shown: string,
): Promise<void> {
  const plan = await planRewind({ ...folder, turn: TURN });
  for (const { path, verdict, present } of plan.items) {
    expect(['same', 'apply'], `${shown}: ${path}`).toContain(verdict);
    expect(present, `${shown}: ${path}`).toEqual(tree.get(path) ?? ABSENT);
  }
  const decisions = { conflicts: 'abort' } as const;
  const report = await applyRewind({ ...folder, plan: { turn: TURN }, decisions, scope: 'files-only' });
  expect(report, shown).toMatchObject({ failed: [], notDone: [], kept: [] });
  expect(readTree(root), `${shown}: back`).toEqual(before);
  await redo({ ...folder, decisions });
  expect(readTree(root), `${shown}: forth`).toEqual(tree);
}

describe('I8 a kill at any call', () => {
  it.each(OPERATIONS)('I8 $name', { timeout: 300_000 }, async (operation) => {
    const { images, before, whole } = await takeImages(operation);
    expect(whole).not.toEqual(before);
    expect(images.images.length).toBeGreaterThan(4);
    for (const image of images.images) {
      kills += 1;
      await checkAfterKill(image.root, before, whole, `${operation.name}, killed before ${image.before}`);
      rmSync(image.root, { recursive: true });
    }
  });
});

/** What the images take for granted, held against processes that really die. */
describe('I8 a process that is killed', () => {
  it.each([
    ['writeFile, replaced', 'rename', 2],
    ['writeFile, several names', 'handle.write', 2],
    ['writeFile, several names', 'handle.truncate', 1],
    ['deletePath, recursive', 'rmdir', 2],
    ['movePath, directory', 'COMMIT', 5],
    ['movePath, over a file', 'COMMIT', 3],
  ] as const)('I8 %s, at %s (%i)', { timeout: 300_000 }, async (name, call, occurrence) => {
    const operation = OPERATIONS.find((each) => each.name === name)!;
    const root = await temporaryFolder();
    prepareFolder(root, operation);
    const { whole } = await takeImages(operation);
    const before = readTree(root);
    const child = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'funnel-child.ts'), root, name, call, `${occurrence}`],
      { encoding: 'utf8' },
    );
    expect(child.signal, child.stderr).toBe('SIGKILL');
    kills += 1;
    await checkAfterKill(root, before, whole, `${name}, killed at ${call}`);
  });
});
