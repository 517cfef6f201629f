/** What scans hold and find: every kind of change, however it was made and whatever was done to the times of the file. */

import { execFile } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  rename,
  rm,
  rmdir,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../electron/base/hash.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { baselineOn, content, directory, makeDirectory, put } from '../helpers/baseline.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const run = promisify(execFile);
const linkTo = (target: string): FileState => ({ kind: 'symlink', target });
/** Longer than any file system takes to give a later change a later time. */
const SETTLED_MS = 2_100;

describe('what is covered', () => {
  it('files, links, directories, empty ones too, and their modes; ignored files like any other', async () => {
    const root = await temporaryFolder();
    await put(root, {
      'a.txt': 'a',
      'src/b.txt': 'b',
      'empty.txt': '',
      '.env': 'KEY=1',
      '.gitignore': '.env\n',
    });
    await put(root, { 'src/run.sh': 'run' }, 0o755);
    await put(root, { 'src/secret': 's' }, 0o600);
    await makeDirectory(root, 'src/nothing', 0o700);
    await symlink('b.txt', join(root, 'src/link'));
    await symlink('nowhere', join(root, 'dangling'));
    const { baseline, rows } = await baselineOn(root);
    const { notCovered } = await baseline.scan();
    expect(rows()).toEqual({
      'a.txt': content('a'),
      'empty.txt': content(''),
      '.env': content('KEY=1'),
      '.gitignore': content('.env\n'),
      dangling: linkTo('nowhere'),
      src: directory(),
      'src/b.txt': content('b'),
      'src/run.sh': content('run', 0o755),
      'src/secret': content('s', 0o600),
      'src/nothing': directory(0o700),
      'src/link': linkTo('b.txt'),
    });
    expect(notCovered).toEqual([]);
  });

  it('never git data nor our own, at any depth and in any spelling', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a', '.git/HEAD': 'x', 'sub/.git': 'gitdir: ../x', 'sub/.GIT/HEAD': 'x' });
    await put(root, { 'sub/.osfoundry/x': 'x', 'sub/.github/y': 'y', 'sub/.gitignore': 'z' });
    const { baseline, rows } = await baselineOn(root);
    const { notCovered } = await baseline.scan();
    const covered = ['a.txt', 'sub', 'sub/.github', 'sub/.github/y', 'sub/.gitignore'];
    expect(Object.keys(rows()).sort()).toEqual(covered);
    expect(notCovered).toEqual([]);
  });

  it('with the whole content of every file in the history', async () => {
    const root = await temporaryFolder();
    const large = Buffer.alloc(3 * 1024 * 1024, 'large');
    await put(root, { 'a.txt': 'a', 'b/same.txt': 'a', 'large.bin': large, 'b/empty': '' });
    const { baseline, store } = await baselineOn(root);
    await baseline.scan();
    expect(Buffer.compare(await store.readBlob(sha256Of(large)), large)).toBe(0);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 3, missing: [], damaged: [], orphans: [] });
  });

  it('without following links, also in a circle or out of the folder', async () => {
    const root = await temporaryFolder();
    const outside = await temporaryFolder();
    await put(outside, { secret: 'x' });
    await makeDirectory(root, 'a');
    await symlink('..', join(root, 'a/up'));
    await symlink('self', join(root, 'self'));
    await symlink(outside, join(root, 'out'));
    const { baseline, rows } = await baselineOn(root);
    await baseline.scan();
    expect(rows()).toEqual({
      a: directory(),
      'a/up': linkTo('..'),
      self: linkTo('self'),
      out: linkTo(outside),
    });
  });

  it('as deep as it goes', async () => {
    const root = await temporaryFolder();
    const deep = Array.from({ length: 400 }, (_, depth) => `d${depth % 10}`).join('/');
    await mkdir(join(root, deep), { recursive: true });
    await put(root, { [`${deep}/bottom`]: '1' });
    const { baseline, rows, changes } = await baselineOn(root);
    await baseline.scan();
    expect(rows()[`${deep}/bottom`]).toEqual(content('1'));
    await put(root, { [`${deep}/bottom`]: '22' });
    expect(await changes()).toEqual({ [`${deep}/bottom`]: [content('1'), content('22')] });
  });
});

describe('what is found', () => {
  it('nothing where nothing changed, and nothing twice', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a', 'b/c.txt': 'c' });
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    expect(await changes()).toEqual({});
    await put(root, { 'a.txt': 'changed' });
    expect(Object.keys(await changes())).toEqual(['a.txt']);
    expect(await changes()).toEqual({});
  });

  it('content, modes, new and gone paths, links and directories', async () => {
    const root = await temporaryFolder();
    await put(root, {
      edited: 'one',
      longer: 'one',
      gone: 'x',
      mode: 'm',
      'dir/inner': 'i',
      'gone-dir/deep/x': 'x',
    });
    await makeDirectory(root, 'empty');
    await symlink('old', join(root, 'link'));
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    await put(root, { edited: 'two', 'new/dir/file': 'n' });
    await truncate(join(root, 'longer'), 1);
    await unlink(join(root, 'gone'));
    await chmod(join(root, 'mode'), 0o4755);
    await chmod(join(root, 'dir'), 0o711);
    await rm(join(root, 'gone-dir'), { recursive: true });
    await rmdir(join(root, 'empty'));
    await unlink(join(root, 'link'));
    await symlink('new', join(root, 'link'));
    await makeDirectory(root, 'dir/empty-too', 0o750);
    expect(await changes()).toEqual({
      edited: [content('one'), content('two')],
      longer: [content('one'), content('o')],
      gone: [content('x'), ABSENT],
      mode: [content('m'), content('m', 0o4755)],
      dir: [directory(), directory(0o711)],
      'dir/empty-too': [ABSENT, directory(0o750)],
      'gone-dir': [directory(), ABSENT],
      'gone-dir/deep': [directory(), ABSENT],
      'gone-dir/deep/x': [content('x'), ABSENT],
      empty: [directory(), ABSENT],
      link: [linkTo('old'), linkTo('new')],
      new: [ABSENT, directory()],
      'new/dir': [ABSENT, directory()],
      'new/dir/file': [ABSENT, content('n')],
    });
    expect(await changes()).toEqual({});
  });

  it('moves of files and of whole folders', async () => {
    const root = await temporaryFolder();
    await put(root, { a: 'a', b: 'b', 'from/x/y': 'y', 'other/x/y': 'z' });
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    await rename(join(root, 'a'), join(root, 'c'));
    await rename(join(root, 'from/x'), join(root, 'moved'));
    await rename(join(root, 'other'), join(root, 'from/other'));
    expect(await changes()).toEqual({
      a: [content('a'), ABSENT],
      c: [ABSENT, content('a')],
      'from/x': [directory(), ABSENT],
      'from/x/y': [content('y'), ABSENT],
      moved: [ABSENT, directory()],
      'moved/y': [ABSENT, content('y')],
      other: [directory(), ABSENT],
      'other/x': [directory(), ABSENT],
      'other/x/y': [content('z'), ABSENT],
      'from/other': [ABSENT, directory()],
      'from/other/x': [ABSENT, directory()],
      'from/other/x/y': [ABSENT, content('z')],
    });
    expect(await changes()).toEqual({});
  });

  it('paths that became another kind, there and back', async () => {
    const root = await temporaryFolder();
    const outside = await temporaryFolder();
    await put(outside, { inner: 'outside' });
    await put(root, { file: 'f', 'dir/inner': 'i', 'linked/inner': 'l' });
    await symlink('file', join(root, 'link'));
    const { baseline, changes, rows } = await baselineOn(root);
    await baseline.scan();
    const before = rows();
    for (const path of ['file', 'dir', 'linked', 'link']) await rename(join(root, path), join(outside, path));
    await put(root, { 'file/new': 'n', dir: 'now a file', link: 'now a file' });
    await symlink(outside, join(root, 'linked'));
    expect(await changes()).toEqual({
      file: [content('f'), directory()],
      'file/new': [ABSENT, content('n')],
      dir: [directory(), content('now a file')],
      'dir/inner': [content('i'), ABSENT],
      linked: [directory(), linkTo(outside)],
      'linked/inner': [content('l'), ABSENT],
      link: [linkTo('file'), content('now a file')],
    });
    for (const path of ['file', 'dir', 'linked', 'link']) {
      await rm(join(root, path), { recursive: true });
      await rename(join(outside, path), join(root, path));
    }
    expect(Object.keys(await changes()).sort()).toEqual([
      'dir',
      'dir/inner',
      'file',
      'file/new',
      'link',
      'linked',
      'linked/inner',
    ]);
    expect(rows()).toEqual(before);
  });

  it('edits of the same size inside one tick of the clock', async () => {
    const root = await temporaryFolder();
    await put(root, { file: 'edit 00' });
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    for (let edit = 1; edit < 100; edit += 1) {
      await writeFile(join(root, 'file'), text(edit));
      expect(await changes()).toEqual({ file: [content(text(edit - 1)), content(text(edit))] });
    }
  });

  it('edits behind times that were put back, also long after the last look', async () => {
    const root = await temporaryFolder();
    await put(root, { a: 'aaaa', swap1: 'one', swap2: 'two', linked: 'l', 'dir/x': 'x', 'other/x': 'y' });
    await utimes(join(root, 'swap1'), 1000, 1000);
    await utimes(join(root, 'swap2'), 1000, 1000);
    const { baseline, changes } = await baselineOn(root);
    await setTimeout(SETTLED_MS);
    await baseline.scan();
    await keepingTimes(join(root, 'a'), () => writeFile(join(root, 'a'), 'bbbb'));
    await rename(join(root, 'swap1'), join(root, 'swap'));
    await rename(join(root, 'swap2'), join(root, 'swap1'));
    await rename(join(root, 'swap'), join(root, 'swap2'));
    await keepingTimes(join(root, 'dir'), () => put(root, { 'dir/new': 'n' }));
    await keepingTimes(join(root, 'other'), () => rename(join(root, 'other/x'), join(root, 'other/z')));
    // The same file under another name: its bytes change here, too.
    await link(join(root, 'linked'), join(root, 'dir/linked'));
    await keepingTimes(join(root, 'linked'), () => writeFile(join(root, 'dir/linked'), 'm'));
    expect(await changes()).toEqual({
      a: [content('aaaa'), content('bbbb')],
      swap1: [content('one'), content('two')],
      swap2: [content('two'), content('one')],
      'dir/new': [ABSENT, content('n')],
      'dir/linked': [ABSENT, content('m')],
      linked: [content('l'), content('m')],
      'other/x': [content('y'), ABSENT],
      'other/z': [ABSENT, content('y')],
    });
  });

  it('what a shell did', async () => {
    const root = await temporaryFolder();
    await put(root, { a: 'a\n', b: 'b\n', c: 'c\n', 'd/e': 'e\n' });
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    const script =
      'sed -i s/a/x/ a; mv b d/; cp -p c c2; touch -r c d/e; truncate -s 1 c; rm d/e; ln -s c l; echo >> a';
    await run('sh', ['-c', script], { cwd: root });
    expect(await changes()).toEqual({
      a: [content('a\n'), content('x\n\n')],
      b: [content('b\n'), ABSENT],
      'd/b': [ABSENT, content('b\n')],
      'd/e': [content('e\n'), ABSENT],
      c: [content('c\n'), content('c')],
      c2: [ABSENT, content('c\n')],
      l: [ABSENT, linkTo('c')],
    });
  });
});

const text = (edit: number): string => `edit ${String(edit).padStart(2, '0')}`;

async function keepingTimes(path: string, change: () => Promise<unknown>): Promise<void> {
  const { atime, mtime } = await lstat(path);
  await change();
  await utimes(path, atime, mtime);
}
