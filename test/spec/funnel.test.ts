/** The rules of a single write (electron/workspace/SPEC.md, F1 to F9), on a real folder. */

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../electron/base/hash.ts';
import { isTempName } from '../../electron/workspace/index.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { type FunnelUnderTest, funnelOn, funnelOnNewFolder } from '../helpers/funnel.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const CHANGING = new Set(['handle.chmod', 'rename', 'unlink', 'rmdir', 'mkdir', 'symlink', 'chmod', 'link']);

/** A funnel whose sink's log also has every changing call of the file system, by the names of its paths. */
async function logged(prepare: (root: string) => void): Promise<FunnelUnderTest> {
  const root = await temporaryFolder();
  prepare(root);
  const shown = (path: string): string => {
    const name = path.slice(root.length + 1);
    return isTempName(name.split('/').at(-1) ?? '') ? 'TEMP' : name || '.';
  };
  const under = await funnelOn(root, {
    onCall: ({ name, path, to }) => {
      if (CHANGING.has(name) && !(name === 'handle.chmod' && shown(path) === 'TEMP'))
        under.sink.log.push(`${name} ${shown(path)}${to ? ` ${shown(to)}` : ''}`);
      if (name === 'open' && shown(path) === 'TEMP') under.sink.log.push('open TEMP');
      if (name === 'handle.sync') under.sink.log.push(`sync ${shown(path)}`);
    },
  });
  return under;
}

describe('F1 the before-state is committed before the path is touched', () => {
  it('F1 replacing a file: blob, intent, temporary file, rename, applied', async () => {
    const { sink, funnel } = await logged((root) => writeFileSync(join(root, 'a.txt'), 'old'));
    await funnel.writeFile(sink, 'a.txt', bytes('new'));
    expect(sink.log).toEqual([
      'blob',
      'intend a.txt',
      'open TEMP',
      'sync TEMP',
      'rename TEMP a.txt',
      'sync .',
      'applied a.txt',
    ]);
    const pre = sink.captures.get('a.txt')?.pre;
    expect(pre).toMatchObject({ kind: 'content', sha256: sha256Of('old'), bytes: 3 });
    expect(sink.blobs.get(sha256Of('old'))?.toString()).toBe('old');
  });

  it('F1 every other change of one path is announced before it is made', async () => {
    const { sink, funnel } = await logged((root) => {
      writeFileSync(join(root, 'a.txt'), 'old');
      writeFileSync(join(root, 'b.txt'), 'b');
      writeFileSync(join(root, 'c.txt'), 'c');
    });
    const logOf = async (call: () => Promise<unknown>): Promise<string[]> => {
      sink.log.length = 0;
      await call();
      return sink.log.filter((line) => !line.startsWith('sync'));
    };
    expect(await logOf(() => funnel.deletePath(sink, 'a.txt'))).toEqual([
      'blob',
      'intend a.txt',
      'unlink a.txt',
      'applied a.txt',
    ]);
    expect(await logOf(() => funnel.createDirectory(sink, 'd'))).toEqual([
      'intend d',
      'mkdir d',
      'applied d',
    ]);
    expect(await logOf(() => funnel.createSymlink(sink, 'l', 'b.txt'))).toEqual([
      'intend l',
      'symlink TEMP',
      'rename TEMP l',
      'applied l',
    ]);
    expect(await logOf(() => funnel.setMode(sink, 'b.txt', 0o600))).toEqual([
      'blob',
      'intend b.txt',
      'handle.chmod b.txt',
      'applied b.txt',
    ]);
    const move = await logOf(() => funnel.movePath(sink, 'c.txt', 'b.txt'));
    expect(move.slice(0, 3).sort()).toEqual(['blob', 'intend b.txt', 'intend c.txt']);
    expect(move.slice(3)).toEqual(['rename c.txt b.txt', 'applied c.txt', 'applied b.txt']);
  });
});

describe('F2 the first capture of an entry wins', () => {
  it('F2 a second write keeps the first before-state and stores no further bytes', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a.txt'), 'one');
    await funnel.writeFile(sink, 'a.txt', bytes('two'));
    await funnel.writeFile(sink, 'a.txt', bytes('three'));
    expect(sink.captures.get('a.txt')).toMatchObject({
      pre: { sha256: sha256Of('one') },
      post: { sha256: sha256Of('three') },
    });
    expect([...sink.blobs.values()].map(String)).toEqual(['one']);
  });

  it('F2 a path that was not there is captured as absent', async () => {
    const { sink, funnel } = await funnelOnNewFolder();
    await funnel.writeFile(sink, 'new.txt', bytes('x'));
    expect(sink.captures.get('new.txt')?.pre).toEqual({ kind: 'absent' });
  });
});

describe('F3 a file is replaced as a whole', () => {
  it('F3 by another file under its name; one that is open keeps the old bytes', async () => {
    const { root, sink, funnel, workspace } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a.txt'), 'old');
    const before = lstatSync(join(root, 'a.txt')).ino;
    const reader = await workspace.fs.open(join(root, 'a.txt'), 'r');
    await funnel.writeFile(sink, 'a.txt', bytes('new'));
    expect((await reader.readFile()).toString()).toBe('old');
    await reader.close();
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new');
    expect(lstatSync(join(root, 'a.txt')).ino).not.toBe(before);
    expect(readdirSync(root)).toEqual(['a.txt']);
  });

  it('F3 a write of the same bytes does nothing at all', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a.txt'), 'same');
    const { ino, mtimeNs, ctimeNs } = lstatSync(join(root, 'a.txt'), { bigint: true });
    await funnel.writeFile(sink, 'a.txt', bytes('same'));
    expect(lstatSync(join(root, 'a.txt'), { bigint: true })).toMatchObject({ ino, mtimeNs, ctimeNs });
    expect(sink.log).toEqual([]);
  });
});

describe('F4 modes', () => {
  it.each([0o600, 0o644, 0o755, 0o444, 0o400, 0o1666])('F4 %o is kept', async (mode) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'old');
    chmodSync(join(root, 'a'), mode);
    await funnel.writeFile(sink, 'a', bytes('new'));
    expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(mode);
    expect(sink.captures.get('a')).toMatchObject({ pre: { mode }, post: { mode } });
  });

  it('F4 a new file has what the umask leaves', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    await funnel.writeFile(sink, 'a', bytes('x'));
    expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(0o666 & ~process.umask());
  });

  it.each([0o4755, 0o2755, 0o6711])(
    'F4 %o loses set-user-id and set-group-id with its content',
    async (mode) => {
      const { root, sink, funnel } = await funnelOnNewFolder();
      writeFileSync(join(root, 'a'), 'old');
      chmodSync(join(root, 'a'), mode);
      await funnel.writeFile(sink, 'a', bytes('new'));
      expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(mode & 0o1777);
      expect(sink.captures.get('a')?.pre).toMatchObject({ mode });
    },
  );

  it.each([0o4755, 0o600, 0, 0o666])('F4 a mode that was asked for is set exactly: %o', async (mode) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    await funnel.writeFile(sink, 'a', bytes('x'), { mode });
    expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(mode);
    expect(sink.captures.get('a')?.post).toMatchObject({ mode });
  });

  it('F4 setMode and setExecutable change the bits of files and directories alone', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'x');
    chmodSync(join(root, 'a'), 0o640);
    mkdirSync(join(root, 'd'));
    const { ino } = lstatSync(join(root, 'a'));
    await funnel.setExecutable(sink, 'a', true);
    expect(lstatSync(join(root, 'a')).mode & 0o7777).toBe(0o750);
    await funnel.setExecutable(sink, 'a', false);
    await funnel.setMode(sink, 'd', 0o2700);
    expect(await treeOf(root)).toMatchObject({ a: expect.stringMatching(/^file 640 /), d: 'directory 2700' });
    expect(lstatSync(join(root, 'a')).ino).toBe(ino);
    symlinkSync('a', join(root, 'l'));
    await expect(funnel.setMode(sink, 'l', 0o777)).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.setExecutable(sink, 'd', true)).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.setMode(sink, 'none', 0o777)).rejects.toMatchObject({ code: 'path-not-found' });
  });
});

describe('F5 a symlink at the path is replaced, not followed', () => {
  it.each(['outside.txt', 'nowhere', '.'])('F5 a link to %s', async (target) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'outside.txt'), 'untouched');
    symlinkSync(target, join(root, 'l'));
    await funnel.writeFile(sink, 'l', bytes('new'));
    expect(lstatSync(join(root, 'l')).isFile()).toBe(true);
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('untouched');
    expect(sink.captures.get('l')?.pre).toEqual({ kind: 'symlink', target });
  });

  it('F5 deleting, moving and replacing by a link act on the link', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'untouched');
    for (const name of ['l', 'm', 'n']) symlinkSync('d', join(root, name));
    await funnel.deletePath(sink, 'l', { recursive: true });
    await funnel.movePath(sink, 'm', 'o');
    await funnel.createSymlink(sink, 'n', 'd/a');
    expect(readlinkSync(join(root, 'o'))).toBe('d');
    expect(readlinkSync(join(root, 'n'))).toBe('d/a');
    expect(readdirSync(root).sort()).toEqual(['d', 'n', 'o']);
    expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('untouched');
  });

  it.each(['', 'a\0b', 'a\uFFFD', 'a\uD800'])('F5 a link to %j is refused', async (target) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    await expect(funnel.createSymlink(sink, 'l', target)).rejects.toMatchObject({ code: 'path-invalid' });
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('F6 owners', () => {
  it.runIf(process.geteuid?.() === 0)('F6 an administrator leaves files to their owner', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'old');
    chownSync(join(root, 'a'), 65_534, 65_533);
    await funnel.writeFile(sink, 'a', bytes('new'));
    expect(lstatSync(join(root, 'a'))).toMatchObject({ uid: 65_534, gid: 65_533 });
    mkdirSync(join(root, 'd'));
    chownSync(join(root, 'd'), 65_534, 65_533);
    await funnel.writeFile(sink, 'd/new', bytes('new'), { mode: 0o4755 });
    expect(lstatSync(join(root, 'd/new'))).toMatchObject({ uid: 65_534, gid: 65_533 });
    expect(lstatSync(join(root, 'd/new')).mode & 0o7777).toBe(0o4755);
  });

  it('F6 an ordinary user replaces a file, whoever owns it', async () => {
    const root = await temporaryFolder();
    writeFileSync(join(root, 'a'), 'old');
    const { sink, funnel } = await funnelOn(root);
    await asOrdinaryUser(root, () => funnel.writeFile(sink, 'a', bytes('new')));
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
  });
});

describe('F7 what the caller expects', () => {
  it('F7 a path that is in another state than expected is left alone', async () => {
    const { root, sink, funnel, workspace } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), 'seen');
    const expect_ = await workspace.stateOf(parseRelPath('a'), null);
    writeFileSync(join(root, 'a'), 'edited by a person');
    const refused = { code: 'path-changed' };
    await expect(funnel.writeFile(sink, 'a', bytes('x'), { expect: expect_ })).rejects.toMatchObject(refused);
    await expect(funnel.deletePath(sink, 'a', { expect: expect_ })).rejects.toMatchObject(refused);
    await expect(funnel.setMode(sink, 'a', 0o600, { expect: expect_ })).rejects.toMatchObject(refused);
    await expect(funnel.createSymlink(sink, 'a', 'b', { expect: expect_ })).rejects.toMatchObject(refused);
    await expect(funnel.createDirectory(sink, 'a', { expect: { kind: 'absent' } })).rejects.toMatchObject(
      refused,
    );
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('edited by a person');
    expect(sink.log).toEqual([]);
  });

  it('F7 an edit between the look and the change is noticed, and left', async () => {
    const root = await temporaryFolder();
    const path = join(root, 'a');
    writeFileSync(path, 'old');
    const { sink, funnel } = await funnelOn(root, {
      // The person saves while our temporary file is being written.
      onCall: ({ name }) => name === 'handle.writeFile' && writeFileSync(path, 'NEW'),
    });
    await expect(funnel.writeFile(sink, 'a', bytes('x'))).rejects.toMatchObject({ code: 'path-changed' });
    expect(readFileSync(path, 'utf8')).toBe('NEW');
    expect(readdirSync(root)).toEqual(['a']);
    expect(sink.captures.size).toBe(0);
  });
});

it('F8 calls run one after another, in the order they came', async () => {
  const { root, sink, funnel } = await funnelOnNewFolder();
  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => funnel.writeFile(sink, 'a', bytes(`${n}`))),
    funnel.movePath(sink, 'a', 'b'),
  ]);
  expect(await treeOf(root)).toEqual({ b: expect.stringContaining(bytes('19').toString('base64')) });
  const ends = sink.log.filter((line) => /^(intend|applied) a/.test(line));
  expect(ends.every((line, n) => line.startsWith(n % 2 === 0 ? 'intend' : 'applied'))).toBe(true);
});
