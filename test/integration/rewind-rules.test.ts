/** What a rewind puts back, and what it leaves alone: one named case each. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';

let root: string;
let folder: RewindingFolder;

/** What changes when a file is written, replaced, or its mode set. */
function identityOf(path: string): string {
  const { ino, mtimeNs, ctimeNs, mode } = lstatSync(join(root, path), { bigint: true });
  return `${ino} ${mtimeNs} ${ctimeNs} ${mode}`;
}

const put = (files: Record<string, string>, mode?: number): void => putFiles(root, files, mode);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

beforeEach(async () => {
  root = await fastFolder();
  folder = await rewindingIn(root, { durability: 'process' });
});

describe('files that need nothing', () => {
  it('those that the turns did not touch keep inode, times and mode', async () => {
    put({ a: 'a', mine: 'mine', 'd/mine': 'mine', 'd/a': 'a' }, 0o640);
    symlinkSync('mine', join(root, 'link'));
    utimesSync(join(root, 'mine'), 1, 1);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', text('changed'));
      await funnel.deletePath(entry, 'd/a');
    });
    put({ later: 'made after the turn' });
    const mine = ['mine', 'd/mine', 'link', 'later'];
    const before = mine.map(identityOf);
    await folder.rewind(turn);
    expect(mine.map(identityOf)).toEqual(before);
    expect(Object.keys(await treeOf(root))).toEqual(['a', 'd', 'd/a', 'd/mine', 'later', 'link', 'mine']);
  });

  it('one that already holds the wanted bytes is not rewritten', async () => {
    put({ a: 'old', b: 'b' });
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', text('new'));
      await funnel.writeFile(entry, 'b', text('new'));
    });
    put({ a: 'old' });
    const before = identityOf('a');
    expect((await folder.plan(turn)).items[0]).toMatchObject({ path: 'a', verdict: 'same', action: 'none' });
    expect(await folder.rewind(turn)).toMatchObject({ restored: ['b'], conflicts: [], kept: [] });
    expect(identityOf('a')).toBe(before);
    expect(folder.store.entry(turn)?.status).toBe('rewound');
  });

  it('R12 one of which only the mode differs keeps its inode and its time', async () => {
    put({ a: 'same' }, 0o600);
    const turn = await folder.turn((funnel, entry) => funnel.setExecutable(entry, 'a', true));
    const { ino, mtimeNs } = lstatSync(join(root, 'a'), { bigint: true });
    expect((await folder.rewind(turn)).restored).toEqual(['a']);
    expect(lstatSync(join(root, 'a'), { bigint: true })).toMatchObject({ ino, mtimeNs });
    expect(await treeOf(root)).toMatchObject({ a: expect.stringContaining('file 600') });
  });
});

describe('files that the person deleted', () => {
  it('one that no turn touched stays deleted', async () => {
    put({ a: 'old', mine: 'mine' });
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'a', text('new')));
    rmSync(join(root, 'mine'));
    await folder.rewind(turn);
    expect(readdirSync(root)).toEqual(['.osfoundry', 'a']);
  });

  it('R4 one that the agent made stays deleted, and is no conflict', async () => {
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'made', text('new')));
    rmSync(join(root, 'made'));
    expect(await folder.rewind(turn)).toMatchObject({ deleted: [], conflicts: [] });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it.each(['keep', 'overwrite'] as const)(
    'one that the turn has a capture of is a conflict: %s',
    async (conflicts) => {
      put({ a: 'old' });
      const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'a', text('new')));
      rmSync(join(root, 'a'));
      expect((await folder.plan(turn)).items[0]?.reason).toMatch(/deleted this after turn 1/);
      const report = await folder.rewind(turn, { conflicts });
      expect(report.conflicts).toEqual(['a']);
      expect(existsSync(join(root, 'a'))).toBe(conflicts === 'overwrite');
      expect(conflicts === 'overwrite' ? report.restored : report.kept).toEqual(['a']);
    },
  );
});

describe('directories', () => {
  it('those that the agent made go when they are empty', async () => {
    const before = await treeOf(root);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'made/deep/a', text('a'));
      await funnel.createDirectory(entry, 'made/empty');
    });
    expect((await folder.rewind(turn)).deleted).toEqual(['made', 'made/deep', 'made/deep/a', 'made/empty']);
    expect(await treeOf(root)).toEqual(before);
  });

  it('one that holds something of the person stays with it, and so do those above; the report says so', async () => {
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'made/deep/a', text('a')));
    put({ 'made/deep/mine': 'mine' });
    const reasons = (await folder.plan(turn)).items.map(({ path, reason }) => [path, reason]);
    expect(reasons).toEqual([
      ['made', expect.stringMatching(/^not empty/)],
      ['made/deep', expect.stringMatching(/^not empty/)],
      ['made/deep/a', undefined],
    ]);
    expect(await folder.rewind(turn)).toMatchObject({
      deleted: ['made/deep/a'],
      kept: ['made', 'made/deep'],
      failed: [],
    });
    expect(Object.keys(await treeOf(root))).toEqual(['made', 'made/deep', 'made/deep/mine']);
  });

  it("one that it made, and into which a file of the person comes back, stays the person's", async () => {
    const first = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'made/a', text('a')));
    put({ 'made/mine': 'mine' });
    chmodSync(join(root, 'made'), 0o700);
    await folder.turn((funnel, entry) => funnel.deletePath(entry, 'made/mine'));
    const { ino } = lstatSync(join(root, 'made'));
    expect(await folder.rewind(first, { conflicts: 'overwrite' })).toMatchObject({
      restored: ['made/mine'],
      deleted: ['made/a'],
      kept: ['made'],
    });
    expect(lstatSync(join(root, 'made')).ino).toBe(ino);
    expect(await treeOf(root)).toMatchObject({ made: 'directory 700' });
    await folder.redo();
    expect(Object.keys(await treeOf(root))).toEqual(['made', 'made/a']);
  });

  it('those that it removed come back, with their modes, empty ones too', async () => {
    put({ 'd/a': 'a' });
    mkdirSync(join(root, 'd/empty'));
    chmodSync(join(root, 'd/empty'), 0o700);
    chmodSync(join(root, 'd'), 0o750);
    const before = await treeOf(root);
    const turn = await folder.turn((funnel, entry) => funnel.deletePath(entry, 'd', { recursive: true }));
    await folder.rewind(turn);
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('single files', () => {
  it('one goes back and the rest of the turn stays; the rest goes back later', async () => {
    put({ a: 'old a', 'd/b': 'old b' });
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', text('new a'));
      await funnel.writeFile(entry, 'd/b', text('new b'));
    });
    expect(await folder.rewind(turn, { paths: ['a'] })).toMatchObject({ restored: ['a'], turns: [] });
    expect([read('a'), read('d/b')]).toEqual(['old a', 'new b']);
    expect(folder.store.entry(turn)?.status).toBe('kept');
    const inForce = folder.store.captures(turn).filter(({ undoneBy }) => undoneBy === null);
    expect(inForce.map(({ path }) => path)).toEqual(['d/b']);
    expect(await folder.rewind(turn)).toMatchObject({ restored: ['d/b'], turns: [turn] });
    expect(read('d/b')).toBe('old b');
  });

  it('a directory names what is below it; the last path makes the turn rewound', async () => {
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'd/a', text('a'));
      await funnel.writeFile(entry, 'dd', text('not below d'));
    });
    expect((await folder.rewind(turn, { paths: ['d'] })).deleted).toEqual(['d', 'd/a']);
    expect(read('dd')).toBe('not below d');
    expect(await folder.rewind(turn, { paths: ['dd'] })).toMatchObject({ deleted: ['dd'], turns: [turn] });
    expect(folder.store.entry(turn)?.status).toBe('rewound');
  });

  it('one out of a removed directory brings the directory back, and nothing else that was in it', async () => {
    put({ 'd/deep/a': 'a', 'd/deep/b': 'b' });
    chmodSync(join(root, 'd/deep'), 0o700);
    const turn = await folder.turn((funnel, entry) => funnel.deletePath(entry, 'd', { recursive: true }));
    await folder.rewind(turn, { paths: ['d/deep/a'] });
    expect(await treeOf(root)).toMatchObject({ d: 'directory 755', 'd/deep': 'directory 700' });
    expect(readdirSync(join(root, 'd/deep'))).toEqual(['a']);
    expect(await folder.rewind(turn)).toMatchObject({ conflicts: [], failed: [] });
    expect(readdirSync(join(root, 'd/deep'))).toEqual(['a', 'b']);
  });

  it('its undo leaves what the person did to other files since', async () => {
    put({ a: 'old', b: 'old' });
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', text('new'));
      await funnel.writeFile(entry, 'b', text('new'));
    });
    await folder.rewind(turn, { paths: ['a'] });
    put({ b: 'mine' });
    await folder.redo();
    expect([read('a'), read('b')]).toEqual(['new', 'mine']);
  });
});
