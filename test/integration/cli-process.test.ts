/** The headless face as a program of its own: real streams, real signals, real exit codes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';

const MAIN = join(import.meta.dirname, '../../electron/cli/main.ts');
const LOADER = import.meta.resolve('tsx');
let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'one\n');
});

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

function start(...words: string[]): Run {
  const child = spawn(process.execPath, ['--import', LOADER, MAIN, ...words], { cwd: folder });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]) => ({ code, out, err }),
  );
  return { child, ended };
}

const a = (): Promise<string> => readFile(join(folder, 'a.txt'), 'utf8');

it('reads a message from standard input and prints one document, in the current folder', async () => {
  const { child, ended } = start('chat', '-', '--json');
  child.stdin?.end('append a.txt: two\nrun: echo noise; echo noise >&2\n');
  const { code, out } = await ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ turn: 1, status: 'done', files: [{ path: 'a.txt' }] });
  expect(await a()).toBe('one\ntwo\n');

  const back = await start('rewind', '--turn', 'last', '--json').ended;
  expect(back.code).toBe(0);
  expect(JSON.parse(back.out)).toMatchObject({ restored: ['a.txt'] });
  expect(await a()).toBe('one\n');
});

it('ends with 2 and its help on standard error when it is called wrongly', async () => {
  const { code, out, err } = await start('rewind').ended;
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('rewind needs --turn N');
});

it('stops the turn at Ctrl-C, and ends by itself with everything captured', async () => {
  const { child, ended } = start(
    'chat',
    'write a.txt: two\nrun: echo begun > begun.txt; sleep 600',
    '--json',
  );
  await expect
    .poll(() => readFile(join(folder, 'begun.txt'), 'utf8').catch(() => ''), { timeout: 30_000 })
    .toBe('begun\n');
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    status: 'stopped',
    files: [{ path: 'a.txt' }, { path: 'begun.txt' }],
  });
});

it('a kill in the middle of a command loses nothing: the next one recovers and goes back', async () => {
  const { child, ended } = start(
    'chat',
    'write a.txt: two\nrun: echo three >> a.txt; echo begun > begun.txt; sleep 600',
  );
  await expect
    .poll(() => readFile(join(folder, 'begun.txt'), 'utf8').catch(() => ''), { timeout: 30_000 })
    .toBe('begun\n');
  child.kill('SIGKILL');
  await ended;
  const back = await start('rewind', '--turn', '1', '--json').ended;
  expect(JSON.parse(back.out)).toMatchObject({ restored: ['a.txt'], deleted: ['begun.txt'], failed: [] });
  expect(await a()).toBe('one\n');
});

it('looks at the history while another process runs a turn, which keeps the folder to itself', async () => {
  const { child, ended } = start('chat', 'run: echo begun > begun.txt; sleep 600', '--json');
  await expect
    .poll(() => readFile(join(folder, 'begun.txt'), 'utf8').catch(() => ''), { timeout: 30_000 })
    .toBe('begun\n');
  const turns = await start('turns', '--json').ended;
  expect(JSON.parse(turns.out)).toMatchObject([{ turn: 1, outcome: 'running' }]);
  const second = await start('chat', 'write b: x', '--json').ended;
  expect(second.code).toBe(1);
  expect(JSON.parse(second.out).error).toMatchObject({ code: 'store-locked' });
  child.kill('SIGINT');
  expect((await ended).code).toBe(1);
});
