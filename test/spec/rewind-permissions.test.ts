/** Going back where the system does not permit everything: opened for the time of it, or said before anything is touched. */

import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { rewindingIn } from '../helpers/rewinding.ts';

describe('permissions', () => {
  it('a folder without write permission is opened for the rewind, and closed again', async () => {
    const root = await temporaryFolder();
    await asOrdinaryUser(root, async () => {
      mkdirSync(join(root, 'd'));
      writeFileSync(join(root, 'd/a'), 'old');
      const folder = await rewindingIn(root);
      const turn = await folder.turn((funnel, entry) => funnel.writeFile(entry, 'd/a', Buffer.from('new')));
      chmodSync(join(root, 'd'), 0o555);
      expect(await folder.rewind(turn)).toMatchObject({ restored: ['d/a'], failed: [] });
      expect(await treeOf(root)).toMatchObject({ d: 'directory 555' });
      expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('old');
      await folder.redo();
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
      const first = await rewindingIn(root);
      const turn = await first.turn((funnel, entry) => funnel.writeFile(entry, 'd/a', Buffer.from('new')));
      first.store.close();
      chmodSync(join(root, 'd'), 0o555);
      // The disk is gone from the moment on at which the folder stands open.
      let isGone = false;
      const fs = { ...nodeFileSystem };
      const second = await rewindingIn(root, { fs, onDatabaseCall: () => failWhen(isGone) });
      fs.rename = (from, to) => {
        isGone ||= to.endsWith('/a');
        failWhen(isGone);
        return nodeFileSystem.rename(from, to);
      };
      fs.open = (path, flags, mode) => {
        failWhen(isGone);
        return nodeFileSystem.open(path, flags, mode);
      };
      await expect(second.rewind(turn)).rejects.toMatchObject({ code: 'rewind-failed' });
      second.store.close();
      expect(lstatSync(join(root, 'd')).mode & 0o777).toBe(0o755);
      const third = await rewindingIn(root);
      expect(third.recovered).toHaveLength(1);
      expect(await treeOf(root)).toMatchObject({ d: 'directory 555' });
      expect(readdirSync(join(root, 'd'))).toEqual(['a']);
      await third.rewind(turn);
      expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('old');
      chmodSync(join(root, 'd'), 0o755);
    });
  });

  it.runIf(process.geteuid?.() === 0)(
    'a folder of somebody else is named before anything is touched; the rest goes back',
    async () => {
      const root = await temporaryFolder();
      mkdirSync(join(root, 'theirs'));
      const folder = await rewindingIn(root);
      await folder.turn(async (funnel, entry) => {
        await funnel.writeFile(entry, 'mine', Buffer.from('new'));
        await funnel.writeFile(entry, 'theirs/a', Buffer.from('new'));
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
    const folder = await rewindingIn(root);
    writeFileSync(join(root, 'a'), 'old');
    const turn = await folder.turn(async (funnel, entry) => {
      await funnel.writeFile(entry, 'a', Buffer.from('new'));
      await funnel.writeFile(entry, 'b', Buffer.from('new'));
    });
    try {
      execFileSync('chattr', ['+i', join(root, 'a')], { stdio: 'ignore' });
    } catch {
      context.skip('This disk, or this user, knows no immutable files.');
    }
    const report = await folder.rewind(turn);
    execFileSync('chattr', ['-i', join(root, 'a')]);
    expect(report.deleted).toEqual(['b']);
    expect(report.failed).toEqual([{ path: 'a', reason: 'a is locked against changes (immutable)' }]);
    // What failed can be asked for by its path.
    const again = folder.rewind(turn, { paths: ['a'] });
    expect((await again).restored).toEqual(['a']);
    expect(await treeOf(root)).toMatchObject({
      a: expect.stringContaining(Buffer.from('old').toString('base64')),
    });
  });
});

function failWhen(condition: boolean): void {
  if (condition) throw Object.assign(new Error('EIO: planted failure'), { code: 'EIO' });
}
