/** Going back where the disk, or what is on it, is not quite ordinary. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { foldingFileSystem } from '../helpers/folding-file-system.ts';
import { rewindingIn } from '../helpers/rewinding.ts';

describe('a disk that ignores the case of names', () => {
  it('a file and a folder that were renamed by case only get their spelling back, and keep their content', async () => {
    const root = await temporaryFolder();
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'readme.md'), 'read me');
    writeFileSync(join(root, 'docs/a'), 'a');
    const before = await treeOf(root);
    const folder = await rewindingIn(root, { fs: foldingFileSystem(nodeFileSystem, root) });
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.movePath(entry, 'readme.md', 'README.md');
      await funnel.movePath(entry, 'docs', 'Docs');
      await funnel.writeFile(entry, 'Docs/a', Buffer.from('changed'));
    });
    const after = await treeOf(root);
    expect(Object.keys(after)).toEqual(['Docs', 'Docs/a', 'README.md']);
    expect(await folder.rewind(turn)).toMatchObject({ failed: [], kept: [], conflicts: [] });
    expect(await treeOf(root)).toEqual(before);
    await folder.redo();
    expect(await treeOf(root)).toEqual(after);
  });

  it('two files whose names differ in case only stay two on a disk that tells them apart', async () => {
    const root = await temporaryFolder();
    const folder = await rewindingIn(root);
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', Buffer.from('small'));
      await funnel.writeFile(entry, 'A', Buffer.from('large'));
    });
    expect((await folder.rewind(turn)).deleted).toEqual(['A', 'a']);
    expect(await treeOf(root)).toEqual({});
  });
});

describe('a large file', () => {
  const LARGE = Buffer.alloc(64, 'x');

  it('that was moved stays at its new place, since its old one cannot have it back', async () => {
    const root = await temporaryFolder();
    writeFileSync(join(root, 'large'), LARGE);
    const folder = await rewindingIn(root, { maxFileBytes: 10 });
    const turn = await folder.turn((funnel, entry) => funnel.movePath(entry, 'large', 'new/place'));
    const report = await folder.rewind(turn);
    expect(report.failed.map(({ path }) => path)).toEqual(['large', 'new/place']);
    expect(report.failed[0]?.reason).toMatch(/over the .* limit/);
    expect(report.failed[1]?.reason).toMatch(/may be what stood at large.*stays here/);
    expect(readFileSync(join(root, 'new/place'))).toEqual(LARGE);
  });

  it('that the agent made goes, and comes back with the redo', async () => {
    const root = await temporaryFolder();
    const folder = await rewindingIn(root, { maxFileBytes: 10 });
    const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'made', LARGE));
    expect((await folder.rewind(turn)).deleted).toEqual(['made']);
    await folder.redo();
    expect(readFileSync(join(root, 'made'))).toEqual(LARGE);
  });
});

it('without enough space nothing is touched, and the message says how much is needed', async () => {
  const root = await temporaryFolder();
  const folder = await rewindingIn(root);
  const turn = await folder.turn(async (funnel, entry) => {
    await funnel.writeFile(entry, 'made', Buffer.from('new'));
    const sha256 = await entry.putBlob(Buffer.from('x'));
    const pre = { kind: 'content', sha256, bytes: 2 ** 50, mode: 0o644 } as const;
    entry.observed([{ path: await folder.workspace.contain('large'), pre, post: { kind: 'absent' } }]);
  });
  await expect(folder.rewind(turn)).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringMatching(
      /^Nothing was changed: going back needs \d{10} MB of space, and the disk has \d+ MB left\.$/,
    ),
  });
  expect(Object.keys(await treeOf(root))).toEqual(['made']);
  expect(folder.store.entries().map(({ kind }) => kind)).toEqual(['agent']);
});

it('a file that changes while the rewind runs is left, and said', async () => {
  const root = await temporaryFolder();
  const fs = { ...nodeFileSystem };
  const folder = await rewindingIn(root, { fs });
  writeFileSync(join(root, 'a'), 'old');
  writeFileSync(join(root, 'b'), 'old');
  const turn = await folder.turn(async (funnel, entry) => {
    await funnel.writeFile(entry, 'a', Buffer.from('new'));
    await funnel.writeFile(entry, 'b', Buffer.from('new'));
  });
  const { planId } = await folder.plan(turn);
  fs.rename = async (from, to) => {
    if (to.endsWith('/a')) {
      writeFileSync(join(root, 'other'), 'mine');
      renameSync(join(root, 'other'), join(root, 'b'));
    }
    return nodeFileSystem.rename(from, to);
  };
  const report = await folder.rewind(turn, { planId });
  expect(report).toMatchObject({
    restored: ['a'],
    failed: [{ path: 'b', reason: 'changed while going back' }],
  });
  expect(readFileSync(join(root, 'b'), 'utf8')).toBe('mine');
});
