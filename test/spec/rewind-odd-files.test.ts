/** Going back where the disk, or what is on it, is not quite ordinary. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { applyRewind, planRewind, redo } from '../../electron/rewind/index.ts';
import type { OpenEntry } from '../../electron/store/index.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { RewindReport } from '../../shared/rewind.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { foldingFileSystem } from '../helpers/folding-file-system.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';

const decisions = { conflicts: 'abort' } as const;

async function turnThat(
  folder: OpenFolder,
  work: (entry: OpenEntry) => Promise<unknown>,
): Promise<TurnNumber> {
  const entry = folder.store.beginTurn({ label: 'a turn', agent: 'practice', chatHead: null });
  await work(entry);
  folder.store.finishTurn(entry.turn, 'done');
  return entry.turn;
}

const goBack = (folder: OpenFolder, turn: TurnNumber): Promise<RewindReport> =>
  applyRewind({ ...folder, plan: { turn }, decisions, scope: 'files-only' });

const closing = (folder: OpenFolder): OpenFolder => {
  onTestFinished(() => folder.store.close());
  return folder;
};

describe('a disk that ignores the case of names', () => {
  it('a file and a folder that were renamed by case only get their spelling back, and keep their content', async () => {
    const root = await temporaryFolder();
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'readme.md'), 'read me');
    writeFileSync(join(root, 'docs/a'), 'a');
    const before = await treeOf(root);
    const folder = closing(await openFolder(root, { fs: foldingFileSystem(nodeFileSystem, root) }));
    const turn = await turnThat(folder, async (entry) => {
      await folder.funnel.movePath(entry, 'readme.md', 'README.md');
      await folder.funnel.movePath(entry, 'docs', 'Docs');
      await folder.funnel.writeFile(entry, 'Docs/a', Buffer.from('changed'));
    });
    const after = await treeOf(root);
    expect(Object.keys(after)).toEqual(['Docs', 'Docs/a', 'README.md']);
    expect(await goBack(folder, turn)).toMatchObject({ failed: [], kept: [], conflicts: [] });
    expect(await treeOf(root)).toEqual(before);
    await redo({ ...folder, decisions });
    expect(await treeOf(root)).toEqual(after);
  });

  it('two files whose names differ in case only stay two on a disk that tells them apart', async () => {
    const root = await temporaryFolder();
    const folder = closing(await openFolder(root));
    const turn = await turnThat(folder, async (entry) => {
      await folder.funnel.writeFile(entry, 'a', Buffer.from('small'));
      await folder.funnel.writeFile(entry, 'A', Buffer.from('large'));
    });
    expect((await goBack(folder, turn)).deleted).toEqual(['A', 'a']);
    expect(await treeOf(root)).toEqual({});
  });
});

describe('a large file', () => {
  const LARGE = Buffer.alloc(64, 'x');

  it('that was moved stays at its new place, since its old one cannot have it back', async () => {
    const root = await temporaryFolder();
    writeFileSync(join(root, 'large'), LARGE);
    const folder = closing(await openFolder(root, { maxFileBytes: 10 }));
    const turn = await turnThat(folder, (entry) => folder.funnel.movePath(entry, 'large', 'new/place'));
    const report = await goBack(folder, turn);
    expect(report.failed.map(({ path }) => path)).toEqual(['large', 'new/place']);
    expect(report.failed[0]?.reason).toMatch(/over the .* limit/);
    expect(report.failed[1]?.reason).toMatch(/may be what stood at large.*stays here/);
    expect(readFileSync(join(root, 'new/place'))).toEqual(LARGE);
  });

  it('that the agent made goes, and comes back with the redo', async () => {
    const root = await temporaryFolder();
    const folder = closing(await openFolder(root, { maxFileBytes: 10 }));
    const turn = await turnThat(folder, (entry) => folder.funnel.writeFile(entry, 'made', LARGE));
    expect((await goBack(folder, turn)).deleted).toEqual(['made']);
    await redo({ ...folder, decisions });
    expect(readFileSync(join(root, 'made'))).toEqual(LARGE);
  });
});

describe('permissions', () => {
  it('a folder without write permission is opened for the rewind, and closed again', async () => {
    const root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      mkdirSync(join(root, 'd'));
      writeFileSync(join(root, 'd/a'), 'old');
      const folder = closing(await openFolder(root));
      const turn = await turnThat(folder, (entry) =>
        folder.funnel.writeFile(entry, 'd/a', Buffer.from('new')),
      );
      chmodSync(join(root, 'd'), 0o555);
      expect(await goBack(folder, turn)).toMatchObject({ restored: ['d/a'], failed: [] });
      expect(await treeOf(root)).toMatchObject({ d: 'directory 555' });
      expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('old');
      await redo({ ...folder, decisions });
      expect(await treeOf(root)).toMatchObject({ d: 'directory 555' });
      expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('new');
      chmodSync(join(root, 'd'), 0o755);
    });
  });

  it('one that a crash left open is closed at the next opening', async () => {
    const root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      mkdirSync(join(root, 'd'));
      writeFileSync(join(root, 'd/a'), 'old');
      const first = await openFolder(root);
      const turn = await turnThat(first, (entry) => first.funnel.writeFile(entry, 'd/a', Buffer.from('new')));
      first.store.close();
      chmodSync(join(root, 'd'), 0o555);
      // The disk is gone from the moment on at which the folder stands open.
      let isGone = false;
      const fs = { ...nodeFileSystem };
      const second = await openFolder(root, { fs, onDatabaseCall: () => failWhen(isGone) });
      fs.rename = (from, to) => {
        isGone ||= to.endsWith('/a');
        failWhen(isGone);
        return nodeFileSystem.rename(from, to);
      };
      fs.open = (path, flags, mode) => {
        failWhen(isGone);
        return nodeFileSystem.open(path, flags, mode);
      };
      await expect(goBack(second, turn)).rejects.toMatchObject({ code: 'rewind-failed' });
      second.store.close();
      expect(lstatSync(join(root, 'd')).mode & 0o777).toBe(0o755);
      const third = closing(await openFolder(root));
      expect(third.recovered).toHaveLength(1);
      expect(await treeOf(root)).toMatchObject({ d: 'directory 555' });
      expect(readdirSync(join(root, 'd'))).toEqual(['a']);
      await goBack(third, turn);
      expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('old');
      chmodSync(join(root, 'd'), 0o755);
    });
  });

  it.runIf(process.geteuid?.() === 0)(
    'a folder of somebody else is named before anything is touched; the rest goes back',
    async () => {
      const root = await temporaryFolder();
      mkdirSync(join(root, 'theirs'));
      const folder = await openFolder(root);
      await turnThat(folder, async (entry) => {
        await folder.funnel.writeFile(entry, 'mine', Buffer.from('new'));
        await folder.funnel.writeFile(entry, 'theirs/a', Buffer.from('new'));
      });
      folder.store.close();
      // All but that one folder goes to another user, who then goes back.
      execFileSync('chown', ['-R', '65534:65534', root]);
      execFileSync('chown', ['-R', '0:0', join(root, 'theirs')]);
      const child = join(import.meta.dirname, 'rewind-child.ts');
      const output = execFileSync(process.execPath, ['--import', 'tsx', child, root, '65534']);
      expect(JSON.parse(output.toString())).toMatchObject({
        deleted: ['mine'],
        failed: [{ path: 'theirs/a', reason: 'no permission to change theirs' }],
        notDone: [],
      });
      expect(readFileSync(join(root, 'theirs/a'), 'utf8')).toBe('new');
    },
  );

  it('an immutable file is named before anything is touched; the rest goes back', async (context) => {
    const root = await temporaryFolder();
    const folder = closing(await openFolder(root));
    writeFileSync(join(root, 'a'), 'old');
    const turn = await turnThat(folder, async (entry) => {
      await folder.funnel.writeFile(entry, 'a', Buffer.from('new'));
      await folder.funnel.writeFile(entry, 'b', Buffer.from('new'));
    });
    try {
      execFileSync('chattr', ['+i', join(root, 'a')], { stdio: 'ignore' });
    } catch {
      context.skip('This disk, or this user, knows no immutable files.');
    }
    const report = await goBack(folder, turn);
    execFileSync('chattr', ['-i', join(root, 'a')]);
    expect(report.deleted).toEqual(['b']);
    expect(report.failed).toEqual([{ path: 'a', reason: 'a is locked against changes (immutable)' }]);
    // What failed can be asked for by its path.
    const again = applyRewind({ ...folder, plan: { turn, paths: ['a'] }, decisions, scope: 'files-only' });
    expect((await again).restored).toEqual(['a']);
    expect(await treeOf(root)).toMatchObject({
      a: expect.stringContaining(Buffer.from('old').toString('base64')),
    });
  });
});

it('a file that changes while the rewind runs is left, and said', async () => {
  const root = await temporaryFolder();
  const fs = { ...nodeFileSystem };
  const folder = closing(await openFolder(root, { fs }));
  writeFileSync(join(root, 'a'), 'old');
  writeFileSync(join(root, 'b'), 'old');
  const turn = await turnThat(folder, async (entry) => {
    await folder.funnel.writeFile(entry, 'a', Buffer.from('new'));
    await folder.funnel.writeFile(entry, 'b', Buffer.from('new'));
  });
  const { planId } = await planRewind({ ...folder, turn });
  fs.rename = async (from, to) => {
    if (to.endsWith('/a')) {
      writeFileSync(join(root, 'other'), 'mine');
      renameSync(join(root, 'other'), join(root, 'b'));
    }
    return nodeFileSystem.rename(from, to);
  };
  const report = await applyRewind({ ...folder, plan: { turn, planId }, decisions, scope: 'files-only' });
  expect(report).toMatchObject({
    restored: ['a'],
    failed: [{ path: 'b', reason: 'changed while going back' }],
  });
  expect(readFileSync(join(root, 'b'), 'utf8')).toBe('mine');
});

function failWhen(condition: boolean): void {
  if (condition) throw Object.assign(new Error('EIO: planted failure'), { code: 'EIO' });
}
