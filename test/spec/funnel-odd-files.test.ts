/** The rules for files that are not quite ordinary (electron/workspace/SPEC.md, F14 to F17), on a real folder. */

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { funnelOn, funnelOnNewFolder } from '../helpers/funnel.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const MEGABYTE = 1024 * 1024;

/** Whether this disk and this user know immutable files: then `undo` makes them ordinary again. */
function makeImmutable(path: string, attribute: 'i' | 'a' = 'i'): boolean {
  try {
    execFileSync('chattr', [`+${attribute}`, path], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('chattr', [`-${attribute}`, path]);
  });
  return true;
}

describe('F14 hard links', () => {
  it('F14 all names go on sharing one content, and the capture says so', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'a longer old content');
    chmodSync(join(root, 'a'), 0o750);
    linkSync(join(root, 'a'), join(root, 'b'));
    const { ino } = lstatSync(join(root, 'a'));
    for (const text of ['short', `long ${'x'.repeat(MEGABYTE)}`, '']) {
      await funnel.writeFile(sink, 'a', bytes(text));
      expect(readFileSync(join(root, 'b'), 'utf8')).toBe(text);
    }
    expect(lstatSync(join(root, 'a'))).toMatchObject({ ino, nlink: 2 });
    expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(0o750);
    expect(readdirSync(root)).toEqual(['a', 'b']);
    expect(sink.captures.get('a')?.marks).toContain('hard link: 2 names share this content');
    expect(sink.blobs.get([...sink.blobs.keys()][0]!)?.toString()).toBe('a longer old content');
  });

  it('F14 the content is held before the first byte is written over it', async () => {
    const root = await temporaryFolder();
    writeFileSync(join(root, 'a'), 'old');
    linkSync(join(root, 'a'), join(root, 'b'));
    const { sink, funnel } = await funnelOn(root, {
      onCall: ({ name }) => name === 'handle.write' && sink.log.push('write'),
    });
    await funnel.writeFile(sink, 'a', bytes('new'));
    expect(sink.log).toEqual(['blob', 'intend a', 'write', 'applied a']);
  });

  it('F14 one that may not be written is replaced, which the capture says', async () => {
    const root = await temporaryFolder();
    const { sink, funnel } = await funnelOn(root);
    await asOrdinaryUser(root, async () => {
      writeFileSync(join(root, 'a'), 'old', { mode: 0o444 });
      linkSync(join(root, 'a'), join(root, 'b'));
      await funnel.writeFile(sink, 'a', bytes('new'));
    });
    expect(readFileSync(join(root, 'a'), 'utf8') + readFileSync(join(root, 'b'), 'utf8')).toBe('newold');
    expect(sink.captures.get('a')?.marks).toEqual([
      'hard link: this name no longer shares its content with the others',
    ]);
  });

  it('F14 one that is asked to have a file of its own is replaced, and the other name keeps its file', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'old');
    linkSync(join(root, 'a'), join(root, 'b'));
    const { ino, mtimeMs } = lstatSync(join(root, 'b'));
    await funnel.writeFile(sink, 'a', bytes('new'), { separate: true });
    expect(readFileSync(join(root, 'a'), 'utf8') + readFileSync(join(root, 'b'), 'utf8')).toBe('newold');
    expect(lstatSync(join(root, 'b'))).toMatchObject({ ino, mtimeMs, nlink: 1 });
    expect(sink.captures.get('a')?.marks).toEqual([
      'hard link: this name no longer shares its content with the others',
    ]);
  });

  it('F14 deleting one name leaves the others', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'x');
    linkSync(join(root, 'a'), join(root, 'b'));
    await funnel.deletePath(sink, 'a');
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('x');
    expect(sink.captures.get('a')?.marks).toHaveLength(1);
  });
});

describe('F15 large files', () => {
  it('F15 over the limit the reason is recorded, and the change is made', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), Buffer.alloc(9 * MEGABYTE));
    await funnel.writeFile(sink, 'a', bytes('new'));
    expect(sink.captures.get('a')?.pre).toMatchObject({
      kind: 'skipped',
      reason: '9 MB, over the 8 MB limit',
      bytes: 9 * MEGABYTE,
    });
    expect(sink.blobs.size).toBe(0);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
  });

  it('F15 exactly at the limit the content is held', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), Buffer.alloc(8 * MEGABYTE));
    await funnel.deletePath(sink, 'a');
    expect([...sink.blobs.values()].map(({ length }) => length)).toEqual([8 * MEGABYTE]);
  });

  it('F15 without a limit (a rewind) every content is held', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder({ maxFileBytes: null });
    const content = randomBytes(10 * MEGABYTE + 7);
    writeFileSync(join(root, 'a'), content);
    await funnel.deletePath(sink, 'a');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect([...sink.blobs.keys()]).toEqual([sha256]);
    expect(sink.captures.get('a')?.pre).toMatchObject({ sha256 });
  });
});

describe('F16 what is no file, link or directory', () => {
  it('F16 FIFOs and sockets are left alone, at once, with what they are', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    await new Promise((resolve) => server.once('listening', resolve));
    for (const [name, kind] of [
      ['pipe', 'FIFO'],
      ['socket', 'socket'],
    ] as const) {
      const refused = { code: 'path-wrong-kind', message: expect.stringContaining(kind) };
      await expect(funnel.writeFile(sink, name, bytes('x'))).rejects.toMatchObject(refused);
      await expect(funnel.deletePath(sink, name)).rejects.toMatchObject(refused);
      await expect(funnel.movePath(sink, name, 'x')).rejects.toMatchObject(refused);
      await expect(funnel.createSymlink(sink, name, 'x')).rejects.toMatchObject(refused);
      await expect(funnel.setMode(sink, name, 0o777)).rejects.toMatchObject({ code: 'path-wrong-kind' });
      await expect(funnel.editFile(sink, name, { old: 'a', new: 'b' })).rejects.toMatchObject({
        code: 'path-wrong-kind',
      });
    }
    expect(sink.captures.size).toBe(0);
  });
});

describe('F17 names and attributes', () => {
  it('F17 a name as long as a disk allows is written, edited, moved and deleted', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    const long = 'n'.repeat(255);
    const other = 'ü'.repeat(127);
    await funnel.writeFile(sink, long, bytes('one'));
    await funnel.editFile(sink, long, { old: 'one', new: 'two' });
    await funnel.movePath(sink, long, other);
    await funnel.createSymlink(sink, long, other);
    expect(readFileSync(join(root, other), 'utf8')).toBe('two');
    await funnel.deletePath(sink, other);
    await expect(funnel.writeFile(sink, `${long}n`, bytes('x'))).rejects.toMatchObject({
      code: 'path-invalid',
    });
    await expect(funnel.writeFile(sink, `${long}n/a`, bytes('x'))).rejects.toMatchObject({
      code: 'path-invalid',
    });
    expect(readdirSync(root)).toEqual([long]);
  });

  it('F17 an immutable file and one that only grows are refused, unchanged', async (context) => {
    for (const attribute of ['i', 'a'] as const) {
      const { root, sink, funnel } = await funnelOnNewFolder();
      writeFileSync(join(root, 'a'), 'locked');
      linkSync(join(root, 'a'), join(root, 'b'));
      writeFileSync(join(root, 'c'), 'locked');
      if (!makeImmutable(join(root, 'a'), attribute) || !makeImmutable(join(root, 'c'), attribute)) {
        context.skip('This disk, or this user, knows no immutable files.');
      }
      const before = await treeOf(root);
      const refused = { code: 'io-failed', message: expect.stringMatching(/EPERM.*immutable/) };
      for (const name of ['a', 'c']) {
        await expect(funnel.writeFile(sink, name, bytes('x'))).rejects.toMatchObject(refused);
        await expect(funnel.deletePath(sink, name)).rejects.toMatchObject(refused);
        await expect(funnel.movePath(sink, name, 'd')).rejects.toMatchObject(refused);
        await expect(funnel.setMode(sink, name, 0o600)).rejects.toMatchObject(refused);
        await expect(funnel.createSymlink(sink, name, 'x')).rejects.toMatchObject(refused);
      }
      expect(await treeOf(root)).toEqual(before);
      expect(sink.captures.size).toBe(0);
    }
  });

  it('F17 an immutable folder is refused, unchanged', async (context) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    await funnel.writeFile(sink, 'd/a', bytes('x'));
    if (!makeImmutable(join(root, 'd'))) context.skip('This disk, or this user, knows no immutable folders.');
    const before = await treeOf(root);
    const size = sink.captures.size;
    await expect(funnel.writeFile(sink, 'd/b', bytes('x'))).rejects.toMatchObject({ code: 'io-failed' });
    await expect(funnel.deletePath(sink, 'd', { recursive: true })).rejects.toMatchObject({
      code: 'io-failed',
    });
    expect(await treeOf(root)).toEqual(before);
    expect(sink.captures.size).toBe(size);
    expect(sink.open()).toEqual([]);
  });
});
