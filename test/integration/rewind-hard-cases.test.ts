/** Going back over files that are not quite ordinary, and over a disk that fails in the middle: right, or said path by path. */

import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { fastFolder, temporaryFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';

const open = (root: string): Promise<RewindingFolder> => rewindingIn(root, { durability: 'process' });
const CLEAN = { conflicts: [], kept: [], failed: [], notDone: [] };

let root: string;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
beforeEach(async () => {
  root = await fastFolder();
});

describe('names', () => {
  it('as long as a disk allows, in folders as deep as a path allows', async () => {
    const long = 'n'.repeat(255);
    const other = 'ü'.repeat(127);
    const deep = Array.from({ length: 14 }, (_, index) => `${index}`.padEnd(250, 'd')).join('/');
    putFiles(root, { [long]: 'old', [other]: 'old' });
    const before = await treeOf(root);
    const folder = await open(root);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, long, text('new'));
      await funnel.movePath(entry, other, `${deep}/${'y'.repeat(255)}`);
    });
    const after = await treeOf(root);
    expect(await folder.rewind(turn)).toMatchObject(CLEAN);
    expect(await treeOf(root)).toEqual(before);
    await folder.redo();
    expect(await treeOf(root)).toEqual(after);
  });

  it('with spaces, line breaks, quotes and what looks like an option', async () => {
    const names = [
      ' leading',
      'trailing ',
      'two\nlines',
      `"it's"`,
      '-rf',
      '*',
      '~',
      'a:b',
      'e\u0301',
      '\u00e9',
    ];
    putFiles(root, Object.fromEntries(names.map((name) => [name, `old ${name}`])));
    const before = await treeOf(root);
    const folder = await open(root);
    const turn = await folder.turn(async (funnel, entry) => {
      for (const name of names) await funnel.writeFile(entry, name, text('new'));
    });
    expect((await folder.rewind(turn)).restored.toSorted()).toEqual(names.toSorted());
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('permissions', () => {
  it('a file that can only be read is replaced all the same, and can only be read afterwards', async () => {
    root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      putFiles(root, { a: 'old', 'd/b': 'old' }, 0o444);
      const before = await treeOf(root);
      const folder = await open(root);
      const turn = await folder.turn(async (funnel, entry) => {
        await funnel.writeFile(entry, 'a', text('new'));
        await funnel.deletePath(entry, 'd', { recursive: true });
      });
      const after = await treeOf(root);
      expect(await folder.rewind(turn)).toMatchObject(CLEAN);
      expect(await treeOf(root)).toEqual(before);
      expect(await folder.redo()).toMatchObject(CLEAN);
      expect(await treeOf(root)).toEqual(after);
    });
  });

  it('files that nobody may read or write, and folders that nobody may enter, come back so', async () => {
    root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      putFiles(root, { a: 'old', 'd/e/b': 'old' });
      const folder = await open(root);
      const turn = await folder.turn(async (funnel, entry) => {
        await funnel.writeFile(entry, 'a', text('new'));
        await funnel.setMode(entry, 'a', 0o200);
        await funnel.deletePath(entry, 'd/e', { recursive: true });
        await funnel.setMode(entry, 'd', 0o500);
      });
      chmodSync(join(root, 'a'), 0o200);
      const report = await folder.rewind(turn);
      // What the agent left in `a` can't be read, and so not be kept: it stays, and that is said.
      expect(report.failed).toEqual([{ path: 'a', reason: expect.stringContaining("can't be kept") }]);
      expect(read('d/e/b')).toBe('old');
      expect(lstatSync(join(root, 'd')).mode & 0o777).toBe(0o755);
      chmodSync(join(root, 'a'), 0o644);
      expect(await folder.rewind(turn, { paths: ['a'], conflicts: 'overwrite' })).toMatchObject({
        restored: ['a'],
      });
      expect(read('a')).toBe('old');
    });
  });

  it('a folder that the agent closed is opened for what it held, and goes', async () => {
    root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      const folder = await open(root);
      const turn = await folder.turn(async (funnel, entry) => {
        await funnel.writeFile(entry, 'made/in/a', text('new'));
        await funnel.setMode(entry, 'made/in', 0o555);
        await funnel.setMode(entry, 'made', 0o555);
      });
      const after = await treeOf(root);
      expect(await folder.rewind(turn)).toMatchObject({
        ...CLEAN,
        deleted: ['made', 'made/in', 'made/in/a'],
      });
      expect(await treeOf(root)).toEqual({});
      await folder.redo();
      expect(await treeOf(root)).toEqual(after);
      for (const path of ['made', 'made/in']) chmodSync(join(root, path), 0o755);
    });
  });

  it('in an immutable folder nothing goes back, and nothing of it is touched; the rest goes back', async (context) => {
    root = await temporaryFolder();
    putFiles(root, { 'd/a': 'old', b: 'old' });
    const folder = await open(root);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'd/a', text('new'));
      await funnel.writeFile(entry, 'd/made', text('new'));
      await funnel.writeFile(entry, 'b', text('new'));
    });
    const locked = join(root, 'd');
    try {
      execFileSync('chattr', ['+i', locked], { stdio: 'ignore' });
    } catch {
      context.skip('This disk, or this user, knows no immutable files.');
    }
    onTestFinished(() => void execFileSync('chattr', ['-i', locked]));
    const report = await folder.rewind(turn);
    expect(report.restored).toEqual(['b']);
    expect(report.failed).toEqual(
      ['d/a', 'd/made'].map((path) => ({ path, reason: 'd is locked against changes (immutable)' })),
    );
    expect([read('d/a'), read('d/made')]).toEqual(['new', 'new']);
    expect(folder.store.entry(turn)?.status).toBe('rewound');
    execFileSync('chattr', ['-i', locked]);
    expect(await folder.rewind(turn, { paths: ['d'] })).toMatchObject({
      restored: ['d/a'],
      deleted: ['d/made'],
    });
    await folder.redo();
    await folder.redo();
    expect([read('d/a'), read('d/made'), read('b')]).toEqual(['new', 'new', 'new']);
  });
});

describe('what stands in the way', () => {
  it.each<[string, (path: string) => void]>([
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a folder with a file of the person', (path) => putFiles(path, { mine: 'mine' })],
  ])('%s stays, and the path is said to have failed', async (_, put) => {
    putFiles(root, { a: 'old', b: 'old' });
    const folder = await open(root);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', text('new'));
      await funnel.writeFile(entry, 'b', text('new'));
    });
    rmSync(join(root, 'a'));
    put(join(root, 'a'));
    const { ino } = lstatSync(join(root, 'a'));
    const report = await folder.rewind(turn, { conflicts: 'overwrite' });
    expect(report).toMatchObject({
      restored: ['b'],
      failed: [{ path: 'a', reason: expect.stringMatching(/\S/) }],
    });
    expect(lstatSync(join(root, 'a')).ino).toBe(ino);
  });

  it('a link of the person where a parent was leads nowhere: nothing outside is touched', async () => {
    const outside = await fastFolder();
    putFiles(outside, { a: 'outside' });
    putFiles(root, { 'd/a': 'old' });
    const folder = await open(root);
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'd/a', text('new')));
    rmSync(join(root, 'd'), { recursive: true });
    symlinkSync(outside, join(root, 'd'));
    const report = await folder.rewind(turn, { conflicts: 'overwrite' });
    expect(report).toMatchObject({
      restored: [],
      failed: [{ path: 'd/a', reason: 'outside the workspace' }],
    });
    expect(await treeOf(outside)).toEqual({
      a: expect.stringContaining(Buffer.from('outside').toString('base64')),
    });
  });
});

describe('a failure in the middle', () => {
  it.each(['ENOSPC', 'EIO'])(
    '%s: the rewind stops, lists what is done and what is not, and can be put back',
    async (code) => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      putFiles(root, Object.fromEntries(names.map((name) => [name, `old ${name}`])));
      const old = await treeOf(root);
      const fs = { ...nodeFileSystem };
      const folder = await rewindingIn(root, { durability: 'process', fs });
      const turn = await folder.turn(async (funnel, entry) => {
        for (const name of names) await funnel.writeFile(entry, name, text(`new ${name}`));
        await funnel.writeFile(entry, 'made', text('made'));
      });
      const before = await treeOf(root);
      fs.rename = (from, to) =>
        to.endsWith('/c')
          ? Promise.reject(Object.assign(new Error(`${code}: planted failure`), { code }))
          : nodeFileSystem.rename(from, to);
      const report = await folder.rewind(turn);
      expect(report).toMatchObject({
        deleted: ['made'],
        restored: ['a', 'b'],
        failed: [{ path: 'c', reason: expect.stringMatching(/\.$/) }],
        notDone: ['d', 'e'],
        turns: [],
      });
      expect(names.map(read)).toEqual(['old a', 'old b', 'new c', 'new d', 'new e']);
      expect(readdirSync(root)).toEqual(['.osfoundry', ...names]);
      expect(folder.store.entry(turn)?.status).toBe('kept');
      fs.rename = nodeFileSystem.rename;
      expect(await folder.redo()).toMatchObject(CLEAN);
      expect(await treeOf(root)).toEqual(before);
      expect(await folder.rewind(turn)).toMatchObject(CLEAN);
      expect(await treeOf(root)).toEqual(old);
    },
  );
});
