/** The rules for directories, deletes and moves (electron/workspace/SPEC.md, F10 to F13), on a real folder. */

import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { createFunnel, openWorkspace } from '../../electron/workspace/index.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { foldingFileSystem } from '../helpers/folding-file-system.ts';
import { funnelOn, funnelOnNewFolder } from '../helpers/funnel.ts';
import { MemorySink } from '../helpers/memory-sink.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

/** d with a file, an empty directory, a link and a file further down. */
function makeTree(root: string): void {
  mkdirSync(join(root, 'd/deep/er'), { recursive: true });
  mkdirSync(join(root, 'd/empty'), { mode: 0o750 });
  writeFileSync(join(root, 'd/a'), 'a', { mode: 0o600 });
  writeFileSync(join(root, 'd/deep/er/b'), 'b', { mode: 0o755 });
  symlinkSync('../nowhere', join(root, 'd/l'));
}
const TREE = ['d', 'd/a', 'd/deep', 'd/deep/er', 'd/deep/er/b', 'd/empty', 'd/l'];

describe('F10 directories', () => {
  it('F10 missing parents are made and captured, outermost first', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    await funnel.writeFile(sink, 'x/y/z.txt', bytes('z'));
    await funnel.createSymlink(sink, 'p/q', 'x');
    await funnel.createDirectory(sink, 'm/n', { mode: 0o2711 });
    expect(sink.log.filter((line) => line.startsWith('intend'))).toEqual(
      ['x', 'x/y', 'x/y/z.txt', 'p', 'p/q', 'm', 'm/n'].map((path) => `intend ${path}`),
    );
    for (const [, { pre, post }] of sink.captures) {
      expect(pre).toEqual({ kind: 'absent' });
      expect(post).not.toBeNull();
    }
    expect(lstatSync(join(root, 'm/n')).mode & 0o7777).toBe(0o2711);
  });

  it('F10 a file or a link in the place of a parent is an error, and stays', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'f'), 'x');
    await expect(funnel.writeFile(sink, 'f/a', bytes('x'))).rejects.toMatchObject({
      code: 'path-wrong-kind',
    });
    await expect(funnel.createDirectory(sink, 'f/a/b')).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.createDirectory(sink, 'f')).rejects.toMatchObject({ code: 'path-exists' });
    expect(await treeOf(root)).toEqual({ f: expect.stringMatching(/^file/) });
    expect(sink.captures.size).toBe(0);
  });

  it('F10 a directory that is there stays as it is; nothing takes its place', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    makeTree(root);
    await funnel.createDirectory(sink, 'd');
    expect(sink.log).toEqual([]);
    await expect(funnel.writeFile(sink, 'd', bytes('x'))).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.createSymlink(sink, 'd', 'x')).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.deletePath(sink, 'd')).rejects.toMatchObject({ code: 'path-wrong-kind' });
    expect(Object.keys(await treeOf(root))).toEqual(TREE);
  });
});

describe('F11 deletes', () => {
  it('F11 a whole directory: every path is captured before the first one goes', async () => {
    const root = await temporaryFolder();
    makeTree(root);
    const log: string[] = [];
    const { sink, funnel } = await funnelOn(root, {
      onCall: ({ name }) =>
        (name === 'unlink' || name === 'rmdir') && log.push(`${sink.captures.size} ${name}`),
    });
    await funnel.deletePath(sink, 'd', { recursive: true });
    expect(log).toHaveLength(TREE.length);
    expect(log.every((line) => line.startsWith(`${TREE.length} `))).toBe(true);
    expect([...sink.captures.keys()].sort()).toEqual(TREE);
    expect(sink.open()).toEqual([]);
    expect(sink.captures.get('d/empty')?.pre).toEqual({ kind: 'directory', mode: 0o750 });
    expect(readdirSync(root)).toEqual([]);
  });

  it('F11 what someone puts in meanwhile stays, and so do its parents', async () => {
    const root = await temporaryFolder();
    makeTree(root);
    const { sink, funnel } = await funnelOn(root, {
      onCall: ({ name, path }) =>
        name === 'unlink' && path.endsWith('er/b') && writeFileSync(join(root, 'd/deep/er/mine'), 'x'),
    });
    await expect(funnel.deletePath(sink, 'd', { recursive: true })).rejects.toMatchObject({
      code: 'path-changed',
      path: 'd/deep/er',
    });
    // What is gone is recorded, what is there is not.
    const left = Object.keys(await treeOf(root));
    expect(left).toContain('d/deep/er/mine');
    expect([...sink.captures.keys()].sort()).toEqual(TREE.filter((path) => !left.includes(path)));
    expect(sink.open()).toEqual([]);
  });

  it('F11 a directory that holds a repository, or a name that is not UTF-8, is refused as a whole', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    makeTree(root);
    mkdirSync(join(root, 'd/deep/.git'));
    await expect(funnel.deletePath(sink, 'd', { recursive: true })).rejects.toMatchObject({
      code: 'path-reserved',
    });
    await expect(funnel.movePath(sink, 'd', 'e')).rejects.toMatchObject({ code: 'path-reserved' });
    mkdirSync(join(root, 'o'));
    writeFileSync(Buffer.concat([bytes(join(root, 'o/')), Buffer.from([0x61, 0xff])]), 'x');
    await expect(funnel.deletePath(sink, 'o', { recursive: true })).rejects.toMatchObject({
      code: 'path-invalid',
    });
    expect(sink.captures.size).toBe(0);
    expect(Object.keys(await treeOf(join(root, 'd'))).map((path) => `d/${path}`)).toEqual(TREE.slice(1));
  });

  it('F11 nothing to delete is an error', async () => {
    const { sink, funnel } = await funnelOnNewFolder();
    await expect(funnel.deletePath(sink, 'none')).rejects.toMatchObject({ code: 'path-not-found' });
    await expect(funnel.movePath(sink, 'none', 'b')).rejects.toMatchObject({ code: 'path-not-found' });
  });
});

describe('F12 moves', () => {
  it('F12 a tree moves with one rename; both sides are captured', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    makeTree(root);
    const before = await treeOf(root);
    const { ino } = lstatSync(join(root, 'd/deep/er/b'));
    await funnel.movePath(sink, 'd', 'new/e');
    const after = await treeOf(root);
    expect(after).toEqual({
      new: expect.stringMatching(/^directory/),
      ...Object.fromEntries(
        Object.entries(before).map(([path, entry]) => [path.replace(/^d/, 'new/e'), entry]),
      ),
    });
    expect(lstatSync(join(root, 'new/e/deep/er/b')).ino).toBe(ino);
    for (const path of TREE) {
      const to = path.replace(/^d/, 'new/e');
      expect(sink.captures.get(path)).toMatchObject({ post: { kind: 'absent' }, marks: [`moved to ${to}`] });
      expect(sink.captures.get(to)).toMatchObject({
        pre: { kind: 'absent' },
        post: sink.captures.get(path)?.pre,
        marks: [`moved from ${path}`],
      });
    }
  });

  it('F12 a file at the destination is replaced, and held', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'A');
    writeFileSync(join(root, 'b'), 'B');
    await funnel.movePath(sink, 'a', 'b');
    expect(await treeOf(root)).toEqual({ b: expect.stringContaining(bytes('A').toString('base64')) });
    expect([...sink.blobs.values()].map(String).sort()).toEqual(['A', 'B']);
  });

  it('F12 two files change places', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'A');
    writeFileSync(join(root, 'b'), 'B');
    await funnel.movePath(sink, 'a', 'c');
    await funnel.movePath(sink, 'b', 'a');
    await funnel.movePath(sink, 'c', 'b');
    expect(readFileSync(join(root, 'a'), 'utf8') + readFileSync(join(root, 'b'), 'utf8')).toBe('BA');
    expect(sink.captures.get('c')).toMatchObject({ pre: { kind: 'absent' }, post: { kind: 'absent' } });
  });

  it.each([
    ['d', 'd/deep/x', 'path-invalid'],
    ['d', 'e', 'path-exists'],
    ['f', 'e', 'path-wrong-kind'],
    ['d', 'f', 'path-wrong-kind'],
    ['f', 'f/x', 'path-wrong-kind'],
  ])('F12 %s to %s is refused (%s)', async (from, to, code) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    makeTree(root);
    mkdirSync(join(root, 'e'));
    writeFileSync(join(root, 'f'), 'x');
    const before = await treeOf(root);
    await expect(funnel.movePath(sink, from, to)).rejects.toMatchObject({ code });
    expect(await treeOf(root)).toEqual(before);
    expect(sink.captures.size).toBe(0);
  });

  it('F12 between two names of one file the source goes', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'x');
    linkSync(join(root, 'a'), join(root, 'b'));
    await funnel.movePath(sink, 'a', 'b');
    expect(readdirSync(root)).toEqual(['b']);
    await funnel.movePath(sink, 'b', 'b');
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('x');
  });

  it('F12 on a disk that ignores case, only the case of a name can be changed', async () => {
    const root = await temporaryFolder();
    makeTree(root);
    const workspace = await openWorkspace(root);
    const funnel = createFunnel({ ...workspace, fs: foldingFileSystem(nodeFileSystem, root) });
    const sink = new MemorySink();
    await funnel.movePath(sink, 'd/a', 'd/A');
    await funnel.movePath(sink, 'd', 'D');
    expect(Object.keys(await treeOf(root))).toContain('D/A');
    expect(sink.captures.get('d/A')).toMatchObject({ pre: { kind: 'absent' } });
    expect(sink.captures.get('D/A')).toMatchObject({ pre: { kind: 'absent' }, post: { kind: 'content' } });
    expect(sink.open()).toEqual([]);
  });
});

describe('F13 permissions', () => {
  it('F13 a folder without write permission is refused with the reason, and unchanged', async () => {
    const root = await temporaryFolder();
    const { sink, funnel } = await funnelOn(root);
    await asOrdinaryUser(root, async () => {
      makeTree(root);
      chmodSync(join(root, 'd'), 0o555);
      const before = await treeOf(root);
      const refused = { code: 'io-failed', message: expect.stringContaining('EACCES') };
      await expect(funnel.writeFile(sink, 'd/a', bytes('x'))).rejects.toMatchObject(refused);
      await expect(funnel.writeFile(sink, 'd/new', bytes('x'))).rejects.toMatchObject(refused);
      await expect(funnel.deletePath(sink, 'd/a')).rejects.toMatchObject(refused);
      await expect(funnel.movePath(sink, 'd/a', 'x')).rejects.toMatchObject(refused);
      await expect(funnel.createDirectory(sink, 'd/new')).rejects.toMatchObject(refused);
      await expect(funnel.createSymlink(sink, 'd/l', 'x')).rejects.toMatchObject(refused);
      expect(await treeOf(root)).toEqual(before);
      chmodSync(join(root, 'd'), 0o755);
    });
    expect(sink.captures.size).toBe(0);
  });

  it('F13 a read-only file is replaced and stays read-only', async () => {
    const root = await temporaryFolder();
    const { sink, funnel } = await funnelOn(root);
    await asOrdinaryUser(root, async () => {
      writeFileSync(join(root, 'a'), 'old', { mode: 0o444 });
      await funnel.writeFile(sink, 'a', bytes('new'));
    });
    expect(await treeOf(root)).toEqual({ a: `file 444 ${bytes('new').toString('base64')}` });
  });

  it('F13 what cannot be read is left alone; a mode can still be set by its owner', async () => {
    const root = await temporaryFolder();
    const { sink, funnel } = await funnelOn(root);
    await asOrdinaryUser(root, async () => {
      writeFileSync(join(root, 'a'), 'secret', { mode: 0 });
      const refused = { code: 'io-failed', message: expect.stringContaining('left alone') };
      await expect(funnel.writeFile(sink, 'a', bytes('x'))).rejects.toMatchObject(refused);
      await expect(funnel.deletePath(sink, 'a')).rejects.toMatchObject(refused);
      await expect(funnel.movePath(sink, 'a', 'b')).rejects.toMatchObject(refused);
      expect(sink.captures.size).toBe(0);
      await funnel.setMode(sink, 'a', 0o600);
    });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('secret');
  });
});
