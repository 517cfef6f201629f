/** Going back over files with several names: as one where they were one, and never over a file that no turn touched. */

import { chmodSync, linkSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';
import { sessionOn } from '../helpers/session.ts';

const open = (root: string): Promise<RewindingFolder> => rewindingIn(root, { durability: 'process' });
const CLEAN = { conflicts: [], kept: [], failed: [], notDone: [] };

let root: string;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
beforeEach(async () => {
  root = await fastFolder();
});

describe('hard links', () => {
  it('a file with several names goes back in place: all names have the old content, and stay one file', async () => {
    putFiles(root, { a: 'a long old content', other: '' });
    rmSync(join(root, 'other'));
    linkSync(join(root, 'a'), join(root, 'other'));
    const { ino } = lstatSync(join(root, 'a'));
    const folder = await open(root);
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'a', text('new')));
    expect(await folder.rewind(turn)).toMatchObject({ ...CLEAN, restored: ['a'] });
    expect([read('a'), read('other')]).toEqual(['a long old content', 'a long old content']);
    await folder.redo();
    expect([read('a'), read('other')]).toEqual(['new', 'new']);
    for (const name of ['a', 'other']) expect(lstatSync(join(root, name))).toMatchObject({ ino, nlink: 2 });
  });

  it('a name that was deleted comes back as a file of its own, and the others keep theirs', async () => {
    putFiles(root, { a: 'old' });
    linkSync(join(root, 'a'), join(root, 'other'));
    const folder = await open(root);
    const turn = await folder.turn((funnel, entry) => funnel.deletePath(entry, 'a'));
    const { ino, mtimeMs } = lstatSync(join(root, 'other'));
    expect(await folder.rewind(turn)).toMatchObject({ ...CLEAN, restored: ['a'] });
    expect([read('a'), read('other')]).toEqual(['old', 'old']);
    expect(lstatSync(join(root, 'other'))).toMatchObject({ ino, mtimeMs, nlink: 1 });
  });

  it.each([
    ['in one turn', 'a', 'other', 1],
    ['in one turn, the other way round', 'other', 'a', 1],
    ['in two turns', 'a', 'other', 2],
    ['in two turns, the other way round', 'other', 'a', 2],
  ] as const)(
    'the agent changed both names of one file %s: it goes back and forth as one',
    async (_, one, two, turns) => {
      putFiles(root, { a: 'old' });
      linkSync(join(root, 'a'), join(root, 'other'));
      const folder = await open(root);
      const first = await folder.turn(async (funnel, entry) => {
        await funnel.writeFile(entry, one, text('one'));
        if (turns === 1) await funnel.writeFile(entry, two, text('two'));
      });
      if (turns === 2) await folder.turn((funnel, entry) => funnel.writeFile(entry, two, text('two')));
      expect(await folder.rewind(first)).toMatchObject({ ...CLEAN, restored: ['a', 'other'] });
      expect([read('a'), read('other')]).toEqual(['old', 'old']);
      expect(await folder.redo()).toMatchObject(CLEAN);
      expect([read('a'), read('other')]).toEqual(['two', 'two']);
      expect(await folder.rewind(first)).toMatchObject(CLEAN);
      expect([read('a'), read('other')]).toEqual(['old', 'old']);
      expect(lstatSync(join(root, 'a')).nlink).toBe(2);
    },
  );

  it('a command changed one that has two names, and the mode of another: both go back and forth', async () => {
    putFiles(root, { a: 'old', b: 'b' });
    for (const name of ['a', 'b']) linkSync(join(root, name), join(root, `${name}-too`));
    const before = await treeOf(root);
    const { session } = await sessionOn(root);
    await session.send('run: echo new > a; chmod 600 b', { agentId: 'practice', mode: 'full' });
    const after = await treeOf(root);
    const report = await session.rewind({ turn: 'last', scope: 'files-only', conflicts: 'abort' });
    expect(report).toMatchObject({ ...CLEAN, restored: ['a', 'a-too', 'b', 'b-too'] });
    expect(await treeOf(root)).toEqual(before);
    expect(await session.redo()).toMatchObject(CLEAN);
    expect(await treeOf(root)).toEqual(after);
  });

  it('a file that a command only gave a second name is not touched', async () => {
    putFiles(root, { mine: 'mine', a: 'old', b: 'mine' });
    chmodSync(join(root, 'b'), 0o600);
    const before = await treeOf(root);
    const { session } = await sessionOn(root);
    await session.send('run: ln -f mine a; ln -f mine b', { agentId: 'practice', mode: 'full' });
    const { ino, mtimeMs } = lstatSync(join(root, 'mine'));
    const after = await treeOf(root);
    const goBack = { turn: 'last', scope: 'files-only', conflicts: 'abort' } as const;
    expect(await session.rewind(goBack)).toMatchObject({ ...CLEAN, restored: ['a', 'b'] });
    expect(await treeOf(root)).toEqual(before);
    expect(lstatSync(join(root, 'mine'))).toMatchObject({ ino, mtimeMs, nlink: 1 });
    expect(await session.redo()).toMatchObject(CLEAN);
    expect(await treeOf(root)).toEqual(after);
  });

  it('names that became one file by a command become files of their own again', async () => {
    putFiles(root, { a: 'old a', b: 'old b' });
    const before = await treeOf(root);
    const { session } = await sessionOn(root);
    await session.send('run: ln -f a b; ln a c; echo new > a', { agentId: 'practice', mode: 'full' });
    const after = await treeOf(root);
    const goBack = { turn: 'last', scope: 'files-only', conflicts: 'abort' } as const;
    expect(await session.rewind(goBack)).toMatchObject({ ...CLEAN, restored: ['a', 'b'], deleted: ['c'] });
    expect(await treeOf(root)).toEqual(before);
    expect(await session.redo()).toMatchObject(CLEAN);
    expect(await treeOf(root)).toEqual(after);
  });
});
