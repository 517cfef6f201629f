/** Paths that cross IPC are held against the folder as it is on disk, before any handler's body runs. */

import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace } from '../../electron/workspace/index.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type IpcHarness, ipcHarness, WORKSPACE_ID as workspaceId } from '../helpers/ipc-harness.ts';

let root: string;
let harness: IpcHarness;

beforeEach(async () => {
  const folder = await temporaryFolder();
  root = join(folder, 'root');
  await mkdir(join(root, 'real', 'deep'), { recursive: true });
  await mkdir(join(root, '.git'));
  await mkdir(join(root, '.osfoundry'));
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside', 'secret.txt'), 'secret');
  await writeFile(join(root, 'real', 'a.txt'), 'a');
  await symlink(join(folder, 'outside'), join(root, 'absolute-link'));
  await symlink('../outside', join(root, 'relative-link'));
  await symlink('real', join(root, 'inner-link'));
  await symlink(join(folder, 'outside', 'secret.txt'), join(root, 'file-link'));
  await symlink('.git', join(root, 'git-link'));
  const workspace = await openWorkspace(root);
  harness = ipcHarness({ contain: (path) => workspace.contain(path) });
});

const REQUESTS: readonly [string, (path: string) => Record<string, unknown>][] = [
  ['history:diff', (path) => ({ workspaceId, turn: 1, path })],
  ['rewind:preview', (path) => ({ workspaceId, turn: 1, path })],
  ['rewind:plan', (path) => ({ workspaceId, turn: 1, paths: ['real/a.txt', path] })],
  [
    'rewind:apply',
    (path) => ({
      workspaceId,
      turn: 1,
      paths: [path],
      planId: 'a'.repeat(64),
      scope: 'files-only',
      conflicts: 'abort',
    }),
  ],
];

describe.each(REQUESTS)('%s', (channel, requestWith) => {
  it.each([
    'absolute-link/secret.txt',
    'relative-link/secret.txt',
    'relative-link/made/up.txt',
    'inner-link/a.txt',
    'git-link/config',
    '../outside/secret.txt',
    '/etc/passwd',
    '.git/config',
    '.git',
    '.osfoundry/checkpoints/index.sqlite',
    '.GIT/config',
  ])('refuses %s', async (path) => {
    const result = await harness.call(channel, requestWith(path));
    expect(result).toEqual({
      ok: false,
      error: expect.objectContaining({ code: expect.stringMatching(/^(path-|ipc-bad-input)/) }),
    });
    expect(harness.reached).toEqual([]);
  });

  it.each(['real/a.txt', 'real/deep/not/yet/there.txt', 'file-link', './real//a.txt'])(
    'lets %s through, whose parents are in the folder',
    async (path) => {
      expect(await harness.call(channel, requestWith(path))).toMatchObject({ ok: true });
      expect(harness.reached).toHaveLength(1);
    },
  );
});

it('looks at the disk at each call, not at what it was when the folder was opened', async () => {
  const request = { workspaceId, turn: 1, path: 'real/a.txt' };
  expect(await harness.call('history:diff', request)).toMatchObject({ ok: true });
  await rename(join(root, 'real'), join(root, 'moved'));
  await symlink('../outside', join(root, 'real'));
  expect(await harness.call('history:diff', request)).toMatchObject({
    ok: false,
    error: { code: 'path-outside-workspace' },
  });
});
