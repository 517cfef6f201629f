/** The packaged app, run from its own folder as a person would: it saves a picture of its window, and works without one. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractFile, listPackage } from '@electron/asar';
import { expect, test } from '@playwright/test';
import { packagedProgram } from '../../scripts/package.mjs';

const run = promisify(execFile);
const program = packagedProgram();
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

let folder: string;
let data: string;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewind-package-'));
  data = await mkdtemp(join(tmpdir(), 'rewind-package-data-'));
});

test.afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
});

test('opens its window on a folder and saves a picture of it', async () => {
  const picture = join(data, 'window.png');
  await run(program, [...asRoot, '--folder', folder, '--user-data-dir', data, '--screenshot', picture], {
    timeout: 60_000,
  });
  const bytes = await readFile(picture);
  expect(bytes.subarray(0, 4)).toEqual(PNG);
  expect(bytes.length).toBeGreaterThan(10_000);
});

test('writes and goes back without a window', async () => {
  const cli = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await run(program, [...asRoot, ...words, '--folder', folder, '--json'])).stdout);
  expect(await cli('chat', 'write a.txt: hello')).toMatchObject({ turn: 1, status: 'done' });
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('hello\n');
  expect(await cli('rewind', '--turn', '1')).toMatchObject({ turn: 1, deleted: ['a.txt'] });
  expect(await cli('verify')).toMatchObject({ ok: true });
});

test('holds no sources, no tests and no maps', () => {
  const archive = join(program, '..', 'resources', 'app.asar');
  const files = listPackage(archive, { isPack: false });
  expect(files.filter((file) => /\.(ts|tsx|map)$|\/test\//.test(file))).toEqual([]);
  expect(JSON.parse(extractFile(archive, 'package.json').toString())).toMatchObject({
    main: 'dist/electron/main.mjs',
  });
});
