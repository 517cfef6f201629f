/** The tools by which an agent looks around: what they return, where they stop, and what they never follow. */

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listFiles, readFile, searchText } from '../../electron/session/read-tools.ts';
import { openWorkspace, searchFolder, type Workspace } from '../../electron/workspace/index.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const leftOut = { names: ['node_modules'], paths: ['data'], included: ['kept/node_modules'] };
const NEVER = new AbortController().signal;

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace(await temporaryFolder());
});

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(workspace.root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

const read = (path: string, lines: { startLine?: number; maxLines?: number } = {}) =>
  readFile(workspace, { tool: 'read_file', path, ...lines }, null);
const list = (words: { path?: string; glob?: string } = {}, signal = NEVER) =>
  listFiles({ workspace, baseline: { leftOut } }, { tool: 'list_files', ...words }, signal);
const search = (pattern: string, path?: string, signal = NEVER) =>
  searchText(
    { workspace, baseline: { leftOut } },
    { tool: 'search_text', pattern, ...(path === undefined ? {} : { path }) },
    signal,
  );

describe('list_files', () => {
  it('names files, links and folders; left-out folders are named, and their files are not', async () => {
    for (const path of ['b.txt', 'a/c.ts', 'node_modules/x/y.js', 'data/d', 'kept/node_modules/z.js']) {
      await write(path, '');
    }
    await mkdir(join(workspace.root, 'empty'));
    await symlink('/etc', join(workspace.root, 'link'));
    expect((await list()).split('\n')).toEqual([
      ...['a/', 'a/c.ts', 'b.txt', 'data/', 'empty/', 'kept/', 'kept/node_modules/'],
      ...['kept/node_modules/z.js', 'link', 'node_modules/'],
    ]);
    expect(await list({ path: 'node_modules' })).toBe('node_modules/x/\nnode_modules/x/y.js');
  });

  it('a glob is about what is below the named folder', async () => {
    for (const path of ['src/a.ts', 'src/lib/b.ts', 'src/lib/c.js', 'lib/d.ts']) await write(path, '');
    expect(await list({ path: 'src', glob: 'lib/*.{ts,js}' })).toBe('src/lib/b.ts\nsrc/lib/c.js');
    expect(await list({ glob: '*.ts' })).toBe('lib/d.ts\nsrc/a.ts\nsrc/lib/b.ts');
    expect(await list({ glob: '*.py' })).toBe('Nothing there.');
  });

  it('of very many files those nearest to the top are named, and the rest is counted', async () => {
    for (let n = 0; n < 45; n += 1) {
      await mkdir(join(workspace.root, `d${n}`));
      await Promise.all(
        Array.from({ length: 50 }, (_, file) => writeFile(join(workspace.root, `d${n}/f${file}`), '')),
      );
    }
    await write('z-last.txt', '');
    const lines = (await list()).split('\n');
    expect(lines).toHaveLength(2001);
    expect(lines).toContain('z-last.txt');
    expect(lines.at(-1)).toMatch(/^… and 296 more/);
  });

  it('git and the history are not there', async () => {
    await write('.git/HEAD', 'ref: x');
    await write('sub/.git/HEAD', 'ref: x');
    await write('.osfoundry/index', 'x');
    expect(await list()).toBe('sub/');
    await expect(list({ path: '.git' })).rejects.toMatchObject({ code: 'path-reserved' });
  });

  it.each(['../', '/etc', 'link'])('%s is not a place to look', async (path) => {
    await symlink('/etc', join(workspace.root, 'link'));
    await expect(list({ path })).rejects.toThrow();
    await expect(search('root', path)).rejects.toThrow();
  });

  it('stops when it is told to', async () => {
    await write('a', '');
    await expect(list({}, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('search_text', () => {
  it('finds lines in files, and neither in links, binary files nor left-out folders', async () => {
    await write('b/two.txt', 'nothing\nthe needle here\n');
    await write('a.txt', 'needle');
    await write('binary', new Uint8Array([0, ...Buffer.from('needle')]));
    await write('node_modules/x.js', 'needle');
    await symlink(join(workspace.root, 'a.txt'), join(workspace.root, 'link'));
    execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
    expect(await search('need[l]e')).toBe('a.txt:1: needle\nb/two.txt:2: the needle here');
    expect(await search('needle', 'b')).toBe('b/two.txt:2: the needle here');
    expect(await search('needle', 'a.txt')).toBe('a.txt:1: needle');
    expect(await search('no such thing')).toBe('Nothing found.');
    await expect(search('needle', 'missing')).rejects.toMatchObject({ code: 'path-not-found' });
  });

  it('says what was plain text, what was too large, and that there is more', async () => {
    await write('a', 'f(1)\n'.repeat(600));
    await write('big', Buffer.alloc(5_000_000, 'f(1)\n'));
    const lines = (await search('f(')).split('\n');
    expect(lines).toHaveLength(502);
    expect(lines[500]).toContain('more than these 500 lines');
    expect(lines[501]).toContain('searched for as plain text');
    expect(await search('g')).toBe('Nothing found.\n(Not searched, too large: big.)');
  });

  it('files that cannot be read are passed over', async () => {
    await write('a', 'needle');
    await write('secret', 'needle');
    await chmod(join(workspace.root, 'secret'), 0);
    expect(await search('needle')).toContain('a:1: needle');
  });

  it('a pattern that backtracks without end is given up, and the app is not kept waiting', async () => {
    await write('a', `${'a'.repeat(60)}!`);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const searching = searchFolder({
      root: workspace.root,
      from: '',
      leftOut,
      signal: NEVER,
      pattern: '^(a+)+$',
      most: 10,
      patienceMs: 1500,
    });
    await expect(searching).rejects.toMatchObject({ code: 'tool-bad-input' });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  it('stops when it is told to, also in the middle of a file', async () => {
    await write('a', `${'a'.repeat(60)}!`);
    await expect(search('a', undefined, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    const stop = new AbortController();
    const searching = search('^(a+)+$', undefined, stop.signal);
    setTimeout(() => stop.abort(), 300);
    await expect(searching).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('changes nothing in the folder', async () => {
    await write('a', 'needle');
    await search('needle');
    await list();
    expect(await readdir(workspace.root)).toEqual(['a']);
  });
});

describe('read_file', () => {
  it('gives the lines that were asked for, and how to go on', async () => {
    await write('a', Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n'));
    expect(await read('a', { startLine: 3, maxLines: 2 })).toBe(
      'line 3\nline 4\n… 6 more lines; go on with startLine 5.',
    );
    expect(await read('a', { startLine: 10 })).toBe('line 10');
  });

  it('a long file and a long line are cut, and it is said', async () => {
    await write('lines', 'x\n'.repeat(5000));
    expect((await read('lines')).split('\n').at(-1)).toBe('… 3001 more lines; go on with startLine 2001.');
    await write('line', 'x'.repeat(500_000));
    expect(await read('line')).toMatch(/^x{100000}\n… cut after 100000 characters/);
  });

  it.each([
    ['what is not UTF-8', new Uint8Array([0x66, 0xff, 0x66]), 'not-text'],
    ['what is too large', Buffer.alloc(9_000_000, 'x'), 'path-wrong-kind'],
  ])('%s is refused with the reason', async (_, content, code) => {
    await write('a', content);
    await expect(read('a')).rejects.toMatchObject({ code });
  });

  it('what is not there, a folder, a link, and what is outside are refused', async () => {
    await mkdir(join(workspace.root, 'folder'));
    await symlink('/etc/passwd', join(workspace.root, 'link'));
    await symlink('/etc', join(workspace.root, 'outside'));
    await expect(read('missing')).rejects.toMatchObject({ code: 'path-not-found' });
    await expect(read('folder')).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(read('link')).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(read('outside/passwd')).rejects.toMatchObject({ code: 'path-outside-workspace' });
    await expect(read('../x')).rejects.toMatchObject({ code: 'path-outside-workspace' });
  });
});
