import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProgram } from '../../electron/agent/acp/find-program.ts';
import { findInstalledAgents } from '../../electron/agent/acp/index.ts';
import { batchFileCommand } from '../../electron/agent/acp/windows-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewind-path-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(program: string, mode = 0o755): Promise<void> {
  await writeFile(join(folder, program), '#!/bin/sh\n');
  await chmod(join(folder, program), mode);
}

it('finds agents by their programs on PATH', async () => {
  await install('opencode');
  await install('gemini');
  expect(await findInstalledAgents({ PATH: folder })).toEqual([
    { name: 'OpenCode', command: ['opencode', 'acp'] },
    { name: 'Gemini CLI', command: ['gemini', '--acp'] },
  ]);
});

it('prefers an installed adapter to one that npx would fetch', async () => {
  await install('claude');
  expect(await findInstalledAgents({ PATH: folder })).toEqual([]);
  await install('npx');
  expect((await findInstalledAgents({ PATH: folder }))[0]?.command[0]).toBe('npx');
  await install('claude-code-acp');
  expect(await findInstalledAgents({ PATH: folder })).toEqual([
    { name: 'Claude Code', command: ['claude-code-acp'] },
  ]);
});

it('a file that is not executable is no program; an empty PATH finds nothing', async () => {
  await install('qwen', 0o644);
  expect(await findInstalledAgents({})).toEqual([]);
  // Root may execute nothing without an execute bit either.
  expect(await findInstalledAgents({ PATH: folder })).toEqual([]);
});

it('on Windows what npm installed is a batch file', async () => {
  await install('gemini.cmd');
  const environment = { Path: folder };
  expect(await findInstalledAgents(environment, 'win32')).toEqual([
    { name: 'Gemini CLI', command: ['gemini', '--acp'] },
  ]);
  expect(await findProgram('gemini', environment, 'win32')).toBe(join(folder, 'gemini.cmd'));
});

it('a batch file is handed to cmd.exe with each word in quotes', () => {
  expect(batchFileCommand('C:\\Program Files\\npm\\gemini.cmd', ['--acp', 'a & b | c'])).toEqual([
    ...['cmd.exe', '/d', '/s', '/c'],
    '""C:\\Program Files\\npm\\gemini.cmd" "--acp" "a & b | c""',
  ]);
});

it.each(['a" & calc & "', '%PATH%', '!x!', 'a\nb'])('a batch file is not given %j', (word) => {
  expect(() => batchFileCommand('gemini.cmd', [word])).toThrow(/can't be given/);
});
