/** The headless face with a person's own model, and with an external agent. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cli } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { StubModelServer } from '../helpers/stub-model-server.ts';
import { treeOf } from '../helpers/tree.ts';

const SCRIPTED_AGENT = `${process.execPath} ${join(import.meta.dirname, '../helpers/scripted-acp-agent.mjs')}`;

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'one\n');
});

describe('chat --agent model', () => {
  let stub: StubModelServer;
  beforeEach(async () => {
    stub = new StubModelServer();
    await stub.start();
    onTestFinished(() => stub.stop());
  });

  const model = (...more: readonly string[]): string[] => [
    ...['chat', '--json', '--agent', 'model', '--model', 'stub-model'],
    ...more,
    'Make it two',
  ];
  const ownServer = (): string[] => [
    ...['--provider', 'openai-compatible', '--base-url', stub.addressFor('openai-compatible')],
  ];

  it('runs a turn of the model, with the key from the environment, and its turn goes back', async () => {
    const before = await treeOf(folder);
    stub.script(
      { calls: [{ name: 'edit_file', input: { path: 'a.txt', old: 'one', new: 'two' } }] },
      { text: 'It is two.' },
    );
    const { code, out, err } = await cli(folder, model(...ownServer()), {
      environment: { REWIND_API_KEY: 'sk-own', OPENAI_API_KEY: 'sk-other' },
    });
    expect(code, out + err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: 'done',
      text: 'It is two.',
      toolCalls: [{ tool: 'edit_file', ok: true }],
      files: [{ path: 'a.txt', change: 'modified' }],
    });
    expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-own',
      'Bearer sk-own',
    ]);
    expect(out + err).not.toContain('sk-');
    expect((await cli(folder, ['rewind', '--turn', 'last'])).code).toBe(0);
    expect(await treeOf(folder)).toEqual(before);
  });

  it('never sends the variable of a provider to another address', async () => {
    await cli(folder, model(...ownServer()), { environment: { OPENAI_API_KEY: 'sk-other' } });
    expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('says that a key is missing, before a turn begins', async () => {
    const { code, out } = await cli(folder, model('--provider', 'anthropic'));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'not-authenticated' } });
    expect(JSON.parse((await cli(folder, ['turns', '--json'])).out)).toEqual([]);
  });
});

describe('chat --agent acp', () => {
  const acp = (prompt: string): string[] => [
    ...['chat', '--json', '--agent', 'acp', '--command', SCRIPTED_AGENT],
    prompt,
  ];

  it('runs a turn of the agent in the folder, and its writes go back', async () => {
    const before = await treeOf(folder);
    const { code, out, err } = await cli(folder, acp('write'), { environment: process.env });
    expect(code, out + err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'done', text: 'written', files: [{ path: 'a.txt' }] });
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('by the agent\n');
    expect((await cli(folder, ['rewind', '--turn', 'last'])).code).toBe(0);
    expect(await treeOf(folder)).toEqual(before);
  });

  it('captures what an agent wrote that crashed then', async () => {
    const before = await treeOf(folder);
    const { code, out } = await cli(folder, acp('write-and-crash'), { environment: process.env });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed',
      files: [{ path: 'a.txt', change: 'modified' }],
    });
    expect((await cli(folder, ['rewind', '--turn', 'last'])).code).toBe(0);
    expect(await treeOf(folder)).toEqual(before);
  });

  it('does not start an agent whose questions the folder can switch off, unless nobody is to be asked', async () => {
    const bin = await temporaryFolder();
    await writeFile(join(bin, 'qwen'), `#!/bin/sh\nexec ${SCRIPTED_AGENT}\n`, { mode: 0o755 });
    const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    await mkdir(join(folder, '.qwen'));
    const words = (mode: string): string[] => [
      ...['chat', '--json', '--agent', 'acp', '--command', 'qwen --acp', '--mode', mode],
      'write',
    ];
    for (const mode of ['ask', 'read-only']) {
      const refused = await cli(folder, words(mode), { environment });
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('Look at .qwen first');
      expect(JSON.parse(refused.out)).toMatchObject({ status: 'failed', files: [] });
    }
    const allowed = await cli(folder, words('full'), { environment });
    expect(JSON.parse(allowed.out)).toMatchObject({ status: 'done', files: [{ path: 'a.txt' }] });
  });
});
