/** The headless face as scripts rely on it: shapes, exit codes, modes, and what goes to which stream. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { chatJson, cli, cliJson } from '../helpers/cli.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('shapes', () => {
  it('chat reports each call and goes on after one that fails', async () => {
    const result = await chatJson(
      folder,
      [
        { tool: 'read_file', path: 'missing' },
        { tool: 'nope' },
        { tool: 'write_file', path: '../out', content: 'x' },
        { tool: 'write_file', path: '.git/config', content: 'x' },
        { tool: 'write_file', path: 'in.txt', content: 'x' },
        { tool: 'read_file', path: 'in.txt' },
        { tool: 'run_command', command: 'echo out; exit 3' },
      ],
      1,
    );
    expect(result).toMatchObject({
      turn: 1,
      status: 'failed',
      files: [{ path: 'in.txt', change: 'created' }],
    });
    expect(result.toolCalls).toMatchObject([
      { tool: 'read_file', ok: false, error: { code: 'path-not-found' } },
      { tool: 'nope', ok: false, error: { code: 'tool-unknown' } },
      { tool: 'write_file', ok: false, error: { code: 'path-outside-workspace' } },
      { tool: 'write_file', ok: false, error: { code: 'path-reserved' } },
      { tool: 'write_file', ok: true },
      { tool: 'read_file', ok: true, output: expect.stringContaining('x') },
      {
        tool: 'run_command',
        ok: false,
        error: { code: 'command-failed' },
        output: expect.stringContaining('out'),
      },
    ]);
    expect(result.text).toContain('failed');
  });

  it('chat answers anything else with help and changes nothing', async () => {
    const result = await cliJson(folder, ['chat', 'make it nicer, please']);
    expect(result).toMatchObject({ turn: 1, status: 'done', toolCalls: [], files: [] });
    expect(result.text).toContain('practice agent');
    expect(await treeOf(folder)).toEqual({});
  });

  it('turns, plan, diff, stats, verify and prune as promised', async () => {
    await write('a.txt', 'one\n');
    await write('image', '\0one');
    await chatJson(folder, [
      { tool: 'write_file', path: 'a.txt', content: 'two\n' },
      { tool: 'write_file', path: 'image', contentBase64: 'AAE=' },
      { tool: 'write_file', path: 'new.txt', content: 'n\n' },
    ]);
    const turns = await cliJson(folder, ['turns']);
    expect(turns).toMatchObject([
      {
        turn: 1,
        label: expect.stringContaining('write_file'),
        at: expect.any(Number),
        kind: 'agent',
        status: 'kept',
        files: [
          { path: 'a.txt', pre: { kind: 'content', sha256: SHA256, bytes: 4, mode: expect.any(Number) } },
          { path: 'image', pre: { kind: 'content', bytes: 4 } },
          { path: 'new.txt', pre: { kind: 'absent' } },
        ],
      },
    ]);
    expect(Math.abs(turns[0].at - Date.now())).toBeLessThan(60_000);
    expect(turns[0].label.length).toBeLessThanOrEqual(120);

    const plan = await cliJson(folder, ['plan', '--turn', 'last', '--path', 'a.txt', '--path', 'new.txt']);
    expect(plan).toMatchObject({
      planId: SHA256,
      turn: 1,
      items: [
        { path: 'a.txt', verdict: 'apply', action: 'write' },
        { path: 'new.txt', verdict: 'apply', action: 'delete' },
      ],
    });

    const diffs = await cliJson(folder, ['diff', '--turn', '1']);
    expect(diffs).toMatchObject([
      { path: 'a.txt', unified: expect.stringContaining('-one\n+two'), added: 1, removed: 1 },
      { path: 'image', binary: true, beforeBytes: 4, afterBytes: 2 },
      { path: 'new.txt', unified: expect.stringContaining('+n'), added: 1, removed: 0 },
    ]);
    const text = await cli(folder, ['diff', '--turn', '1', '--path', 'a.txt']);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toContain('-one\n+two\n');

    expect(await cliJson(folder, ['stats'])).toEqual({
      turns: 1,
      captures: 3,
      blobs: expect.any(Number),
      bytesLogical: expect.any(Number),
      bytesOnDisk: expect.any(Number),
    });
    expect(await cliJson(folder, ['verify'])).toEqual({
      ok: true,
      turns: 1,
      blobs: expect.any(Number),
      bytes: expect.any(Number),
      missing: [],
      damaged: [],
      orphans: [],
    });
    await chatJson(folder, [{ tool: 'write_file', path: 'a.txt', content: 'three\n' }]);
    const dry = await cliJson(folder, ['prune', '--keep-turns', '1', '--dry-run']);
    expect(dry).toMatchObject({
      turnsRemoved: 1,
      blobsRemoved: expect.any(Number),
      bytesFreed: expect.any(Number),
    });
    expect(await cliJson(folder, ['turns'])).toHaveLength(2);
    await cliJson(folder, ['prune', '--keep-turns', '1']);
    expect(await cliJson(folder, ['turns', '--limit', '9'])).toMatchObject([{ turn: 2 }]);
  });

  it('looks at a folder that has no history without making one', async () => {
    expect(await cliJson(folder, ['turns'])).toEqual([]);
    expect(await cliJson(folder, ['verify'])).toMatchObject({ ok: true, turns: 0 });
    expect(await cliJson(folder, ['stats'])).toMatchObject({ turns: 0 });
    const error = await cliJson(folder, ['plan', '--turn', 'last'], 1);
    expect(error.error.code).toBe('nothing-to-rewind');
    expect(await import('node:fs/promises').then(({ readdir }) => readdir(folder))).toEqual([]);
  });
});

describe('exit codes and streams', () => {
  it.each([
    [['nope'], 2],
    [['rewind'], 2],
    [['chat', '/rewind 3'], 2],
    [['chat', '/frobnicate'], 2],
    [['chat', '  '], 2],
    [['rewind', '--turn', '7'], 1],
    [['redo'], 1],
    [['chat', '--agent', 'unknown', 'hi'], 2],
    [['chat', '--agent', 'model', '--provider', 'openai', '--model', 'm', 'hi'], 1],
  ])('%j ends with %i and one JSON error', async (words, code) => {
    const { error } = await cliJson(folder, words, code);
    expect(error).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\.$/) });
  });

  it('says which command does what a slash command would', async () => {
    const { err, out } = await cli(folder, ['chat', '/rewind 3']);
    expect(out).toBe('');
    expect(err).toContain('rewind --turn 3');
  });

  it('prints help on request, and with an error on standard error only', async () => {
    expect(await cli(folder, ['--help'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('--turn'),
    });
    expect(await cli(folder, [])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--turn') });
  });

  it('refuses a folder that is not there', async () => {
    expect((await cliJson(folder, ['turns', '--folder', 'missing'], 1)).error.code).toBe('folder-not-found');
  });

  it('reads well without JSON', async () => {
    await write('a.txt', 'one\n');
    const chat = await cli(folder, ['chat', 'write a.txt: two']);
    expect(chat.out).toBe('Done: 1 call.\n\nTurn 1 is done: 1 file changed.\n  modified  a.txt\n');
    expect(chat.err).toContain('> write a.txt');
    expect((await cli(folder, ['turns'])).out).toMatch(
      /^1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}done .* 1 file .*write a\.txt: two\n$/,
    );
    expect((await cli(folder, ['plan', '--turn', '1'])).out).toContain('apply     write   a.txt');
    const rewind = await cli(folder, ['rewind', '--turn', '1']);
    expect(rewind.out).toBe(
      'The folder is as it was right before turn 1.\n  restored  a.txt\n`redo` brings the changes back.\n',
    );
    expect((await cli(folder, ['redo'])).out).toContain('Rewind 2 is undone.');
    expect((await cli(folder, ['verify'])).out).toContain('The history is whole.');
  });
});

describe('modes', () => {
  const calls = [
    { tool: 'list_files' },
    { tool: 'write_file', path: 'a.txt', content: 'two' },
    { tool: 'run_command', command: 'echo three > a.txt' },
  ];

  it.each(['read-only', 'ask'])(
    '%s without anybody to ask reads, and refuses writes and commands',
    async (mode) => {
      await write('a.txt', 'one');
      const result = await cliJson(folder, ['chat', '--mode', mode, JSON.stringify(calls)], 1);
      expect(result).toMatchObject({
        status: 'failed',
        files: [],
        toolCalls: [
          { ok: true, output: expect.stringContaining('a.txt') },
          { ok: false, error: { code: 'tool-denied' } },
          { ok: false, error: { code: 'tool-denied' } },
        ],
      });
      expect(await read('a.txt')).toBe('one');
    },
  );

  it('ask asks at the terminal, shows the diff of a write, and remembers what is always allowed', async () => {
    await write('a.txt', 'one\n');
    const questions: string[] = [];
    const twice = [
      { tool: 'write_file', path: 'a.txt', content: 'two\n' },
      { tool: 'write_file', path: 'b.txt', content: 'two\n' },
      { tool: 'delete_file', path: 'a.txt' },
    ];
    const { code, err, out } = await cli(folder, ['chat', '--mode', 'ask', '--json', JSON.stringify(twice)], {
      ask: async (question) => {
        questions.push(question);
        return question.includes('delete') ? 'n' : 'a';
      },
    });
    expect(code).toBe(1);
    expect(questions).toHaveLength(2);
    expect(err).toContain('-one\n+two\n');
    expect(JSON.parse(out).toolCalls.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
  });

  it('an interrupt stops the turn, and what it did until then can be undone', async () => {
    await write('a.txt', 'one');
    let interrupt = (): void => undefined;
    const message = JSON.stringify([
      { tool: 'write_file', path: 'a.txt', content: 'two' },
      { tool: 'run_command', command: 'echo three > a.txt; echo begun; sleep 600' },
      { tool: 'write_file', path: 'a.txt', content: 'four' },
    ]);
    const running = cli(folder, ['chat', '--json', message], {
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
    });
    await expect.poll(() => read('a.txt'), { timeout: 20_000 }).toBe('three\n');
    interrupt();
    const { code, out } = await running;
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      status: 'stopped',
      files: [{ path: 'a.txt', change: 'modified' }],
    });
    await cliJson(folder, ['rewind', '--turn', '1']);
    expect(await read('a.txt')).toBe('one');
  });
});
