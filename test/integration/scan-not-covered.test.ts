/** What scans do not cover, and that they say so: nothing is mangled, waited for, or left out in silence. */

import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ABSENT } from '../../shared/file-state.ts';
import { baselineOn, content, directory, put } from '../helpers/baseline.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const run = promisify(execFile);
const LEFT_OUT = 'dependency or cache folder, left out';
const OVER_BUDGET = 'one of the largest folders, left out because the folder is over the budget';
const DENIED = 'cannot be read: permission denied';

describe('special files', () => {
  it('names FIFOs and sockets and never waits for them', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a' });
    await run('mkfifo', [join(root, 'pipe')]);
    await listeningOn(join(root, 'socket'));
    const { notCovered, changes, rows } = await baselineOn(root);
    const reasons = { pipe: 'is a FIFO', socket: 'is a socket' };
    expect(await notCovered()).toEqual(reasons);
    expect(await notCovered()).toEqual(reasons);
    expect(rows()['a.txt']).toEqual(content('a'));
    await unlink(join(root, 'pipe'));
    await put(root, { pipe: 'now a file' });
    await unlink(join(root, 'a.txt'));
    await run('mkfifo', [join(root, 'a.txt')]);
    expect(await changes()).toMatchObject({
      pipe: [{ kind: 'skipped', reason: 'is a FIFO' }, content('now a file')],
      'a.txt': [content('a'), { kind: 'skipped', reason: 'is a FIFO' }],
    });
    expect(await notCovered()).toEqual({ socket: 'is a socket', 'a.txt': 'is a FIFO' });
  });
});

describe('names that are not UTF-8', () => {
  it('are shown escaped and never taken for another name', async () => {
    const root = await temporaryFolder();
    const foreign = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${root}/dir/`), Buffer.from(name, 'latin1')]);
    await put(root, { 'dir/caf\u00e9': 'text', 'dir/\ufffd': 'a name by right' });
    await writeFile(foreign('caf\u00e9.txt'), 'bytes');
    const { baseline, notCovered, rows } = await baselineOn(root);
    await baseline.scan();
    expect(Object.keys(rows()).sort()).toEqual(['dir', 'dir/caf\u00e9', 'dir/\ufffd']);
    const shown = { 'dir/caf\\xe9.txt': 'has a name that is not valid UTF-8' };
    expect(await notCovered()).toEqual(shown);
    await put(root, { 'dir/another': 'x' });
    expect(await notCovered()).toEqual(shown);
    await unlink(foreign('caf\u00e9.txt'));
    expect(await notCovered()).toEqual({});
  });

  it('nor are links to such names', async () => {
    const root = await temporaryFolder();
    await symlink(Buffer.from('caf\u00e9', 'latin1'), join(root, 'link'));
    const { notCovered } = await baselineOn(root);
    expect(await notCovered()).toEqual({ link: 'is a link whose target is not valid UTF-8' });
  });
});

describe('what may not be read', () => {
  it('is named, and comes back when it may be', async () => {
    const root = await temporaryFolder();
    await put(root, { open: 'o', closed: 'c', 'dir/inner': 'i', 'away/inner': 'i' });
    const { baseline, changes, notCovered, rows } = await baselineOn(root);
    await baseline.scan();
    await asOrdinaryUser(root);
    await chmod(join(root, 'closed'), 0o000);
    await chmod(join(root, 'dir'), 0o000);
    await chmod(join(root, 'away'), 0o311);
    expect(await changes()).toMatchObject({
      closed: [content('c'), { kind: 'skipped', reason: DENIED }],
      dir: [directory(), directory(0o000)],
      away: [directory(), directory(0o311)],
    });
    expect(await notCovered()).toEqual({ closed: DENIED, dir: DENIED, 'dir/inner': DENIED, away: DENIED });
    expect(rows()['dir/inner']).toEqual(content('i'));
    for (const path of ['closed', 'dir', 'away']) await chmod(join(root, path), 0o755);
    await put(root, { 'dir/new': 'n', 'away/new': 'n' });
    expect(Object.keys(await changes()).sort()).toEqual(['away', 'away/new', 'closed', 'dir', 'dir/new']);
    expect(await notCovered()).toEqual({});
  });
});

describe('files over the limit', () => {
  const settings = { maxFileBytes: 1024 };
  const large = (letter: string): string => letter.repeat(2048);
  const reason = '0.1 MB, over the 0.1 MB limit';
  const skipped = { kind: 'skipped', reason, bytes: 2048, mode: 0o644 };

  it('are named, not held, and told from later edits by their content', async () => {
    const root = await temporaryFolder();
    await put(root, {
      changes: large('a'),
      goes: large('a'),
      shrinks: large('a'),
      grows: 'a',
      stays: large('a'),
    });
    const { baseline, changes, notCovered, rows, store } = await baselineOn(root, settings);
    await baseline.scan();
    expect(rows()).toMatchObject({ changes: skipped, goes: skipped, shrinks: skipped, grows: content('a') });
    await put(root, { changes: large('b'), shrinks: 'b', grows: large('b'), appears: large('b') });
    await unlink(join(root, 'goes'));
    expect(await changes()).toEqual({
      changes: [skipped, content(large('b'))],
      goes: [skipped, ABSENT],
      shrinks: [skipped, content('b')],
      grows: [content('a'), content(large('b'))],
      appears: [ABSENT, content(large('b'))],
    });
    expect(await notCovered()).toEqual({ changes: reason, grows: reason, appears: reason, stays: reason });
    expect(await changes()).toEqual({});
    expect((await store.verify()).blobs).toBe(1);
  });

  it('are held when the limit is raised, and no longer when it is lowered', async () => {
    const root = await temporaryFolder();
    await put(root, { file: large('a') });
    const first = await baselineOn(root, settings);
    await first.baseline.scan();
    await first.close();
    const raised = await baselineOn(root, { maxFileBytes: 4096 });
    expect(await raised.notCovered()).toEqual({});
    expect(raised.rows()).toEqual({ file: content(large('a')) });
    await raised.close();
    const lowered = await baselineOn(root, settings);
    expect(await lowered.notCovered()).toEqual({ file: reason });
    expect(lowered.rows()).toEqual({ file: skipped });
  });
});

describe('folders that are left out', () => {
  it('are named wherever they stand; files and links of these names are covered', async () => {
    const root = await temporaryFolder();
    await put(root, {
      'node_modules/a/x': 'x',
      'pkg/node_modules/b/x': 'x',
      'pkg/src/x': 'x',
      target: 'a file',
    });
    await symlink('pkg/node_modules', join(root, 'venv'));
    const { notCovered, rows } = await baselineOn(root);
    expect(await notCovered()).toEqual({ node_modules: LEFT_OUT, 'pkg/node_modules': LEFT_OUT });
    expect(Object.keys(rows()).sort()).toEqual(['pkg', 'pkg/src', 'pkg/src/x', 'target', 'venv']);
  });

  it('are named when a step makes them, and no more when they are gone', async () => {
    const root = await temporaryFolder();
    await put(root, { 'package.json': '{}' });
    const { notCovered, changes } = await baselineOn(root);
    expect(await notCovered()).toEqual({});
    await put(root, { 'node_modules/a/x': 'x', 'new/deep/__pycache__/x': 'x' });
    expect(Object.keys(await changes())).toEqual(['new', 'new/deep']);
    expect(await notCovered()).toEqual({ node_modules: LEFT_OUT, 'new/deep/__pycache__': LEFT_OUT });
    await rm(join(root, 'node_modules'), { recursive: true });
    await rm(join(root, 'new'), { recursive: true });
    expect(await notCovered()).toEqual({});
  });

  it('are those of the settings, and of the person’s own exceptions for this folder', async () => {
    const root = await temporaryFolder();
    await put(root, {
      'vendor/x': 'x',
      'node_modules/x': 'x',
      'pkg/node_modules/x': 'x',
      'data/large/x': 'x',
    });
    const first = await baselineOn(root, { leftOutFolders: ['vendor'] });
    expect(await first.notCovered()).toEqual({ vendor: LEFT_OUT });
    await first.close();
    const overrides = { [root]: { leaveOut: ['data/large'], include: ['pkg/node_modules'] } };
    const second = await baselineOn(root, { folderOverrides: overrides });
    expect(await second.notCovered()).toEqual({ node_modules: LEFT_OUT, 'data/large': LEFT_OUT });
    const files = Object.keys(second.rows()).filter((path) => path.endsWith('/x'));
    expect(files).toContain('pkg/node_modules/x');
    expect(files).toContain('vendor/x');
    const elsewhere = await baselineOn(await temporaryFolder(), { folderOverrides: overrides });
    expect(await elsewhere.notCovered()).toEqual({});
  });
});

describe('the budget', () => {
  const many = (directory: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${directory}/f${index}`, `${index}`]));

  it('leaves out the largest folders, no more than needed, and names them', async () => {
    const root = await temporaryFolder();
    await put(root, { ...many('src', 5), ...many('src/fixtures', 30), ...many('docs', 10), 'a.txt': 'a' });
    const { notCovered, rows } = await baselineOn(root, { baselineMaxFiles: 20 });
    expect(await notCovered()).toEqual({ 'src/fixtures': OVER_BUDGET });
    expect(Object.keys(rows())).toHaveLength(2 + 5 + 10 + 1);
    expect(await notCovered()).toEqual({ 'src/fixtures': OVER_BUDGET });
  });

  it('counts bytes, too, but not those of files that are over the limit anyway', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a/x': 'x'.repeat(600), 'b/x': 'x'.repeat(500), 'c/over': 'x'.repeat(5000) });
    const { notCovered } = await baselineOn(root, { baselineMaxBytes: 1000, maxFileBytes: 1024 });
    expect(await notCovered()).toEqual({ a: OVER_BUDGET, 'c/over': '0.1 MB, over the 0.1 MB limit' });
  });

  it('never takes away what is covered when a step makes too much', async () => {
    const root = await temporaryFolder();
    await put(root, { ...many('src', 15), 'out/old': 'old' });
    const { baseline, changes, notCovered, rows } = await baselineOn(root, { baselineMaxFiles: 20 });
    await baseline.scan();
    await put(root, { ...many('out', 30), ...many('out/deep', 5), 'src/f0': 'edited', 'src/new': 'new' });
    await unlink(join(root, 'out/old'));
    expect(await changes()).toEqual({
      'out/old': [content('old'), ABSENT],
      'src/f0': [content('0'), content('edited')],
      'src/new': [ABSENT, content('new')],
    });
    expect(await notCovered()).toEqual({ out: OVER_BUDGET });
    await put(root, { 'out/more': 'more', 'out/deep/more': 'more' });
    expect(await changes()).toEqual({});
    expect(Object.keys(rows()).filter((path) => path.startsWith('src/'))).toHaveLength(16);
  });

  it('covers all when the person raises it', async () => {
    const root = await temporaryFolder();
    await put(root, { ...many('src', 5), ...many('large', 30) });
    const first = await baselineOn(root, { baselineMaxFiles: 20 });
    await first.baseline.scan();
    await first.close();
    const second = await baselineOn(root);
    expect(await second.notCovered()).toEqual({});
    expect(Object.keys(second.rows())).toHaveLength(2 + 35);
  });
});

describe('the folder itself', () => {
  it('that went away is an error, and not as if all files had been deleted', async () => {
    const parent = await temporaryFolder();
    const root = join(parent, 'folder');
    await mkdir(root);
    await put(root, { 'a.txt': 'a' });
    const { baseline, changes, rows } = await baselineOn(root);
    await baseline.scan();
    await rename(root, join(parent, 'moved'));
    await expect(baseline.scan()).rejects.toMatchObject({ code: 'folder-not-found' });
    expect(rows()).toEqual({ 'a.txt': content('a') });
    await rename(join(parent, 'moved'), root);
    expect(await changes()).toEqual({});
  });
});

async function listeningOn(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
}

/** Root may read everything; so the whole process goes on as somebody who owns the folder and may not. */
async function asOrdinaryUser(root: string): Promise<void> {
  const { geteuid, seteuid } = process;
  if (geteuid?.() !== 0 || seteuid === undefined) return;
  const nobody = 65_534;
  await run('chown', ['-R', String(nobody), root]);
  await chown(root, nobody, nobody);
  seteuid(nobody);
  onTestFinished(() => seteuid(0));
}
