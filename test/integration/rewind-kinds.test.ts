/** Moves, and paths that become something else: there, back, and there again, each time the whole folder. */

import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenEntry } from '../../electron/store/index.ts';
import type { WriteFunnel } from '../../electron/workspace/index.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';

let root: string;
let folder: RewindingFolder;

beforeEach(async () => {
  root = await fastFolder();
  folder = await rewindingIn(root, { durability: 'process' });
});

const CLEAN = { conflicts: [], kept: [], failed: [], notDone: [] };

async function backAndForth(turn: TurnNumber, before: object): Promise<void> {
  const after = await treeOf(root);
  expect(await folder.rewind(turn)).toMatchObject(CLEAN);
  expect(await treeOf(root)).toEqual(before);
  expect(await folder.redo()).toMatchObject(CLEAN);
  expect(await treeOf(root)).toEqual(after);
  expect(await folder.rewind(turn)).toMatchObject(CLEAN);
  expect(await treeOf(root)).toEqual(before);
}

type Work = (funnel: WriteFunnel, entry: OpenEntry) => Promise<unknown>;
const swap: (a: string, b: string) => Work = (a, b) => async (funnel, entry) => {
  await funnel.movePath(entry, a, 'between');
  await funnel.movePath(entry, b, a);
  await funnel.movePath(entry, 'between', b);
};

describe('moves', () => {
  beforeEach(() => {
    putFiles(root, { a: 'a', b: 'b', 'd/x': 'x', 'd/deep/y': 'y', 'e/x': 'other x', script: '#!' });
    chmodSync(join(root, 'script'), 0o755);
    symlinkSync('a', join(root, 'link'));
  });

  it.each<[string, Work]>([
    ['over an existing file', (funnel, entry) => funnel.movePath(entry, 'script', 'b')],
    ['of a link over a file', (funnel, entry) => funnel.movePath(entry, 'link', 'b')],
    ['of a directory', (funnel, entry) => funnel.movePath(entry, 'd', 'new/place')],
    ['two files change places', swap('a', 'script')],
    ['two directories change places', swap('d', 'e')],
    ['a file and a directory change places', swap('a', 'd')],
    ['a file and a link change places', swap('a', 'link')],
    [
      'a directory goes into one that takes its name',
      async (funnel, entry) => {
        await funnel.movePath(entry, 'd', 'between');
        await funnel.createDirectory(entry, 'd');
        await funnel.movePath(entry, 'between', 'd/d');
      },
    ],
    ['only the case of a name', (funnel, entry) => funnel.movePath(entry, 'a', 'A')],
    ['only the case of the name of a directory', (funnel, entry) => funnel.movePath(entry, 'd', 'D')],
  ])('%s', async (_, work) => {
    const before = await treeOf(root);
    const turn = await folder.turn(work);
    expect(await treeOf(root)).not.toEqual(before);
    await backAndForth(turn, before);
  });
});

describe('changes of kind', () => {
  const KINDS: Record<string, Work> = {
    nothing: async () => undefined,
    'a file': (funnel, entry) => funnel.writeFile(entry, 'p', text('a file')),
    'an executable': (funnel, entry) => funnel.writeFile(entry, 'p', text('#!'), { mode: 0o755 }),
    'a link': (funnel, entry) => funnel.createSymlink(entry, 'p', 'nowhere'),
    'a link to a directory': (funnel, entry) => funnel.createSymlink(entry, 'p', 'other'),
    'an empty directory': (funnel, entry) => funnel.createDirectory(entry, 'p', { mode: 0o700 }),
    'a directory': async (funnel, entry) => {
      await funnel.writeFile(entry, 'p/a', text('a'));
      await funnel.writeFile(entry, 'p/q/b', text('b'));
      await funnel.createSymlink(entry, 'p/link', 'a');
    },
  };
  const names = Object.keys(KINDS);
  const pairs = names.flatMap((from) => names.flatMap((to) => (from === to ? [] : [[from, to] as const])));

  it.each(pairs)('%s becomes %s', async (from, to) => {
    putFiles(root, { 'other/a': 'not to be touched' });
    await folder.turn(KINDS[from]!);
    const before = await treeOf(root);
    const turn = await folder.turn(async (funnel, entry) => {
      if (from !== 'nothing') await funnel.deletePath(entry, 'p', { recursive: true });
      await KINDS[to]!(funnel, entry);
    });
    await backAndForth(turn, before);
  });
});
