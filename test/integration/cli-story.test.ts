/** Stories of a person at the command line: an agent changes the folder, and it goes back byte for byte. */

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatJson, cli, cliJson } from '../helpers/cli.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  expect(await cliJson(folder, ['verify'])).toMatchObject({
    ok: true,
    missing: [],
    damaged: [],
    orphans: [],
  });
});

const write = (name: string, content: string | Uint8Array): Promise<void> =>
  writeFile(join(folder, name), content);
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

async function git(...words: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'core.autocrlf=false'];
  const { stdout } = await run('git', [...identity, ...words], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
  return stdout;
}

async function makeSite(): Promise<void> {
  await write('index.html', '<title>A</title>\n<link href="styles.css">\n');
  await write('styles.css', '.a { margin: 0 }\n'.repeat(212));
  await write('app.js', 'fetch(API_URL);\n');
  await write('.env', 'API_URL=https://api.example.com\n');
  await write('.gitignore', '.env\n');
}

describe('the story of a site in a git repository', () => {
  it('goes back to uncommitted, untracked and ignored files as they were, leaves git alone, and redoes', async () => {
    await makeSite();
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-qm', 'A site');
    await write('index.html', '<title>B</title>\n<link href="styles.css">\n');
    await write('notes.md', '# Begun\n');
    const before = await treeOf(folder);
    const statusBefore = await git('status', '--porcelain');

    const result = await chatJson(folder, [
      { tool: 'write_file', path: 'styles.css', content: '.a {}\n'.repeat(41) },
      {
        tool: 'edit_file',
        path: 'index.html',
        old: 'styles.css">',
        new: 'styles.css"><link href="theme.css">',
      },
      { tool: 'write_file', path: 'app.js', content: 'render();\n' },
      { tool: 'edit_file', path: '.env', old: 'https://api.example.com', new: 'http://localhost:3000' },
      { tool: 'write_file', path: 'theme.css', content: ':root {}\n' },
    ]);
    expect(result).toMatchObject({
      turn: 1,
      status: 'done',
      files: [
        { path: '.env', change: 'modified' },
        { path: 'app.js', change: 'modified' },
        { path: 'index.html', change: 'modified' },
        { path: 'styles.css', change: 'modified' },
        { path: 'theme.css', change: 'created' },
      ],
      notCovered: [],
    });
    expect(result.toolCalls.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true, true]);
    const after = await treeOf(folder);
    expect(await git('status', '--porcelain')).not.toContain('.osfoundry');

    expect(await cliJson(folder, ['rewind', '--turn', '1'])).toMatchObject({
      rewind: 2,
      turn: 1,
      restored: ['.env', 'app.js', 'index.html', 'styles.css'],
      deleted: ['theme.css'],
      kept: [],
      conflicts: [],
      failed: [],
    });
    expect(await treeOf(folder)).toEqual(before);
    expect(await git('status', '--porcelain')).toBe(statusBefore);

    expect(await cliJson(folder, ['redo'])).toMatchObject({ rewind: 3, deleted: [], failed: [] });
    expect(await treeOf(folder)).toEqual(after);
  });

  it('undoes a command of any kind, ignored files included, and says which commit it leaves', async () => {
    await makeSite();
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-qm', 'A site');
    await mkdir(join(folder, 'empty'));
    const before = await treeOf(folder);
    const result = await chatJson(folder, [
      {
        tool: 'run_command',
        command:
          'sed -i s/example.com/localhost/ .env && rm app.js && mv index.html home.html && rmdir empty && ' +
          'chmod +x styles.css && ln -s home.html link && mkdir -p made/deep && cp -p styles.css made/deep/copy.css && ' +
          'git -c user.name=A -c user.email=a@example.com commit -qam more',
      },
    ]);
    expect(result.status).toBe('done');
    expect(result.files.map(({ path, change }: Record<string, string>) => `${change} ${path}`)).toEqual([
      'modified .env',
      'deleted app.js',
      'deleted empty',
      'created home.html',
      'deleted index.html',
      'created link',
      'created made/deep/copy.css',
      'mode styles.css',
    ]);
    const [turn] = await cliJson(folder, ['turns']);
    expect(turn.notes.join(' ')).toMatch(/commit/);
    expect(turn.files.find(({ path }: { path: string }) => path === '.env').marks).toContain(
      'changed during a command',
    );

    await cliJson(folder, ['rewind', '--turn', 'last']);
    expect(await treeOf(folder)).toEqual(before);
  });
});

describe('a folder without git', () => {
  it('covers tools and commands in one turn; the first capture of a path wins', async () => {
    await write('a.txt', 'one\n');
    const result = await chatJson(folder, [
      { tool: 'write_file', path: 'a.txt', content: 'two\n' },
      { tool: 'run_command', command: 'echo three >> a.txt; echo x > b.txt' },
      { tool: 'delete_file', path: 'b.txt' },
      { tool: 'run_command', command: 'echo four >> a.txt' },
    ]);
    expect(result.files).toEqual([{ path: 'a.txt', change: 'modified' }]);
    expect(await read('a.txt')).toBe('two\nthree\nfour\n');
    await cliJson(folder, ['rewind', '--turn', '1']);
    expect(await treeOf(folder)).toEqual({ 'a.txt': `file ${await modeOf('a.txt')} ${btoa('one\n')}` });
  });

  it("keeps a person's work between a tool's write and a command of the same turn out of nobody's hands", async () => {
    await write('mine.txt', 'old\n');
    await chatJson(folder, [{ tool: 'run_command', command: 'echo x > first.txt' }]);
    await write('mine.txt', 'new work\n');
    await chatJson(folder, [{ tool: 'run_command', command: 'echo y > second.txt' }]);
    await cliJson(folder, ['rewind', '--turn', '1']);
    expect(await read('mine.txt')).toBe('new work\n');
  });

  it('puts modes, links and directories back as they were', async () => {
    await write('run.sh', '#!/bin/sh\n');
    await chmod(join(folder, 'run.sh'), 0o755);
    await write('secret', 's');
    await chmod(join(folder, 'secret'), 0o600);
    await symlink('secret', join(folder, 'link'));
    await mkdir(join(folder, 'd/empty'), { recursive: true });
    const before = await treeOf(folder);
    const result = await chatJson(folder, [
      { tool: 'set_executable', path: 'run.sh', executable: false },
      { tool: 'write_file', path: 'secret', content: 'other' },
      { tool: 'write_file', path: 'link', content: 'a file now' },
      { tool: 'delete_file', path: 'd', recursive: true },
      { tool: 'create_directory', path: 'new/deep' },
      { tool: 'move_file', from: 'run.sh', to: 'new/run.sh' },
    ]);
    expect(result.status).toBe('done');
    expect(await read('secret')).toBe('other');
    const [turn] = await cliJson(folder, ['turns']);
    const pre = Object.fromEntries(
      turn.files.map((file: { path: string; pre: object }) => [file.path, file.pre]),
    );
    expect(pre).toMatchObject({
      'run.sh': { kind: 'content', bytes: 10, mode: 0o755 },
      secret: { kind: 'content', bytes: 1, mode: 0o600 },
      link: { kind: 'symlink', target: 'secret' },
      'd/empty': { kind: 'directory' },
      'new/run.sh': { kind: 'absent' },
    });
    await cliJson(folder, ['rewind', '--turn', '1']);
    expect(await treeOf(folder)).toEqual(before);
  });

  it('records a file over 8 MB as skipped, says so in the turn, and reports it when it can not go back', async () => {
    await write('big.bin', '');
    await truncate(join(folder, 'big.bin'), 12 * 1024 * 1024);
    await write('small.txt', 'a');
    const result = await chatJson(folder, [
      { tool: 'write_file', path: 'big.bin', content: 'small now' },
      { tool: 'write_file', path: 'small.txt', content: 'b' },
    ]);
    const reason = '12 MB, over the 8 MB limit';
    expect(result.notCovered).toEqual([{ path: 'big.bin', reason }]);
    const plan = await cliJson(folder, ['plan', '--turn', '1']);
    expect(plan.items).toMatchObject([
      { path: 'big.bin', verdict: 'skipped', action: 'none' },
      { path: 'small.txt', verdict: 'apply', action: 'write' },
    ]);
    const report = await cliJson(folder, ['rewind', '--turn', '1'], 1);
    expect(report).toMatchObject({
      restored: ['small.txt'],
      deleted: [],
      failed: [{ path: 'big.bin', reason: expect.stringContaining(reason) }],
    });
    expect(await read('big.bin')).toBe('small now');
  });

  it('does the same when a command changed the large file', async () => {
    await write('big.bin', '');
    await truncate(join(folder, 'big.bin'), 9 * 1024 * 1024);
    const result = await chatJson(folder, [{ tool: 'run_command', command: 'echo x > big.bin; echo y > c' }]);
    expect(result.notCovered).toEqual([
      { path: 'big.bin', reason: expect.stringContaining('over the 8 MB limit') },
    ]);
    const report = await cliJson(folder, ['rewind', '--turn', '1'], 1);
    expect(report).toMatchObject({ deleted: ['c'], failed: [{ path: 'big.bin' }] });
    expect(await read('big.bin')).toBe('x\n');
  });

  it('goes back over several turns to the oldest before-state, and a turn can not be rewound twice', async () => {
    await write('a', '0');
    for (const content of ['1', '2', '3'])
      await chatJson(folder, [{ tool: 'write_file', path: 'a', content }]);
    await cliJson(folder, ['rewind', '--turn', '2']);
    expect(await read('a')).toBe('1');
    const turns = await cliJson(folder, ['turns']);
    expect(turns.map(({ turn, kind, status }: Record<string, unknown>) => [turn, kind, status])).toEqual([
      [4, 'rewind', 'kept'],
      [3, 'agent', 'rewound'],
      [2, 'agent', 'rewound'],
      [1, 'agent', 'kept'],
    ]);
    const twice = await cliJson(folder, ['rewind', '--turn', '3'], 1);
    expect(twice.error).toMatchObject({ code: 'already-rewound', message: expect.stringMatching(/already/) });
    await cliJson(folder, ['rewind', '--turn', 'last']);
    expect(await read('a')).toBe('0');
    await cliJson(folder, ['redo']);
    await cliJson(folder, ['redo']);
    expect(await read('a')).toBe('3');
  });

  it('overwrites, keeps or aborts at a conflict as it is told, and redo brings the replaced work back', async () => {
    await write('a', '0');
    await write('b', '0');
    await chatJson(folder, [
      { tool: 'write_file', path: 'a', content: '1' },
      { tool: 'write_file', path: 'b', content: '1' },
    ]);
    await write('a', 'my own edit');
    const aborted = await cliJson(folder, ['rewind', '--turn', '1', '--conflicts', 'abort'], 1);
    expect(aborted).toMatchObject({
      rewind: null,
      conflicts: ['a'],
      restored: [],
      error: { code: 'conflicts' },
    });
    expect([await read('a'), await read('b')]).toEqual(['my own edit', '1']);

    const kept = await cliJson(folder, ['rewind', '--turn', '1', '--conflicts', 'keep']);
    expect(kept).toMatchObject({ kept: ['a'], conflicts: ['a'], restored: ['b'] });
    expect([await read('a'), await read('b')]).toEqual(['my own edit', '0']);
    await cliJson(folder, ['redo']);

    const overwritten = await cliJson(folder, ['rewind', '--turn', '1']);
    expect(overwritten).toMatchObject({ conflicts: ['a'], restored: ['a', 'b'] });
    expect(await read('a')).toBe('0');
    await cliJson(folder, ['redo']);
    expect([await read('a'), await read('b')]).toEqual(['my own edit', '1']);
  });

  it('puts single files back and leaves the rest of their turn', async () => {
    await write('a', '0');
    await write('b', '0');
    await chatJson(folder, [
      { tool: 'write_file', path: 'a', content: '1' },
      { tool: 'write_file', path: 'b', content: '1' },
    ]);
    await cliJson(folder, ['rewind', '--turn', '1', '--path', 'a']);
    expect([await read('a'), await read('b')]).toEqual(['0', '1']);
    expect((await cliJson(folder, ['turns']))[1]).toMatchObject({ turn: 1, status: 'kept' });
  });

  it('changes nothing in a dry run, and refuses a plan that is no longer true', async () => {
    await write('a', '0');
    await chatJson(folder, [{ tool: 'write_file', path: 'a', content: '1' }]);
    const dry = await cliJson(folder, ['rewind', '--turn', '1', '--dry-run']);
    expect(dry).toMatchObject({ rewind: null, turn: 1, restored: ['a'] });
    expect(await read('a')).toBe('1');
    const { planId } = await cliJson(folder, ['plan', '--turn', '1']);
    await write('a', 'changed since');
    const stale = await cliJson(folder, ['rewind', '--turn', '1', '--plan', planId], 1);
    expect(stale.error.code).toBe('plan-stale');
    expect(await read('a')).toBe('changed since');
    const fresh = await cliJson(folder, ['plan', '--turn', '1']);
    await cliJson(folder, ['rewind', '--turn', '1', '--plan', fresh.planId]);
    expect(await read('a')).toBe('0');
  });

  it('leaves a file that the person deleted deleted unless the turn wants it', async () => {
    await write('a', '0');
    await chatJson(folder, [
      { tool: 'write_file', path: 'a', content: '1' },
      { tool: 'write_file', path: 'made', content: '1' },
    ]);
    await rm(join(folder, 'made'));
    await cliJson(folder, ['rewind', '--turn', '1']);
    expect(Object.keys(await treeOf(folder))).toEqual(['a']);
  });
});

const modeOf = async (name: string): Promise<string> =>
  ((await stat(join(folder, name))).mode & 0o7777).toString(8);

it('appends, replaces, moves and deletes by plain words', async () => {
  await write('log.txt', 'one\r\ntwo');
  const message = [
    'append log.txt: three',
    'replace "one" with "ONE" in log.txt',
    'write my notes.md: hello',
    'move my notes.md to docs/notes.md',
    'run: printf done > done.txt',
    'delete done.txt',
  ].join('\n');
  const { code, out } = await cli(folder, ['chat', '-'], { input: message });
  expect(code).toBe(0);
  expect(out).toContain('docs/notes.md');
  expect(await read('log.txt')).toBe('ONE\r\ntwo\r\nthree\r\n');
  expect(await read('docs/notes.md')).toBe('hello\n');
  await cliJson(folder, ['rewind', '--turn', '1']);
  expect(await read('log.txt')).toBe('one\r\ntwo');
  expect(Object.keys(await treeOf(folder))).toEqual(['log.txt']);
});
