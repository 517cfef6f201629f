/** External agents as real processes that crash, hang, say nonsense, or leave a family behind. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAcpAgent, startAgentProcess } from '../../electron/agent/acp/index.ts';
import type { Agent, AgentOutcome, PriorMessage } from '../../electron/agent/ports.ts';
import { FakeAgentPorts } from '../helpers/fake-agent-ports.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const SCRIPT = join(import.meta.dirname, '../helpers/scripted-acp-agent.mjs');

let folder: string;
let ports: FakeAgentPorts;

beforeEach(async () => {
  folder = await temporaryFolder();
  ports = new FakeAgentPorts();
});
afterEach(() => {
  vi.useRealTimers();
});

function agentThatStarts(
  how: string,
  environment: NodeJS.ProcessEnv = process.env,
  command: readonly string[] = [process.execPath, SCRIPT, how],
): Agent {
  const agent = createAcpAgent({
    id: 'scripted',
    name: 'Scripted',
    command,
    root: folder,
    start: startAgentProcess(folder, environment),
  });
  onTestFinished(() => agent.close?.());
  return agent;
}

const run = (
  agent: Agent,
  prompt: string,
  signal = new AbortController().signal,
  history: readonly PriorMessage[] = [],
): Promise<AgentOutcome> => agent.runTurn({ prompt, history, signal }, ports);

/** A zombie whose parent has not looked yet is as dead as one that is gone. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat !== null) return !/^\d+ \(.*\) Z/.test(stat);
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux';
  } catch {
    return false;
  }
}

describe('an external agent as a process', () => {
  it('answers from the folder, with what it needs of the environment and no key of others', async () => {
    const environment = {
      ...process.env,
      OPENAI_API_KEY: 'secret-1',
      ANTHROPIC_API_KEY: 'secret-2',
      NODE_OPTIONS: '--title=x',
    };
    expect(await run(agentThatStarts('', environment), 'environment')).toEqual({ status: 'done' });
    const told = JSON.parse(ports.text) as { cwd: string; environment: Record<string, string> };
    expect(told.cwd).toBe(folder);
    expect(told.environment.PATH).toBe(process.env.PATH);
    expect(ports.text).not.toContain('secret');
    expect(told.environment.NODE_OPTIONS).toBeUndefined();
  });

  it('is started without a shell: its words are words', async () => {
    const innocent = join(folder, 'made-by-a-shell');
    const agent = agentThatStarts('', process.env, [
      ...[process.execPath, SCRIPT],
      `$(touch ${innocent}); touch ${innocent}`,
    ]);
    expect(await run(agent, 'hello')).toEqual({ status: 'done' });
    await expect(readFile(innocent)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('that is not installed says so', async () => {
    const outcome = await run(agentThatStarts('', process.env, ['no-such-agent', '--acp']), 'hello');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent-unavailable' } });
    expect(outcome.error?.message).toContain('no-such-agent could not be started');
  });

  it('that ends before it is ready is quoted, from standard error or standard output', async () => {
    expect((await run(agentThatStarts('exits'), 'hello')).error).toEqual({
      code: 'agent-unavailable',
      message: 'Scripted ended before it was ready. It said: scripted: settings are broken',
    });
    expect((await run(agentThatStarts('wants-login'), 'hello')).error?.message).toContain(
      'Please log in first: scripted login',
    );
  });

  it('that is not logged in says so, and does not stay', async () => {
    const outcome = await run(agentThatStarts('auth'), 'hello');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not-authenticated' } });
  });

  it('that speaks a newer protocol is refused', async () => {
    expect((await run(agentThatStarts('newer'), 'hello')).error?.message).toContain('version 99');
  });

  it('that never gets ready is ended after a time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const agent = agentThatStarts('silent');
    const turn = run(agent, 'hello');
    await expect.poll(() => vi.getTimerCount(), { timeout: 20_000 }).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await turn).error).toMatchObject({
      code: 'agent-unavailable',
      message: expect.stringContaining('did not get ready within 60 seconds'),
    });
  });

  it('may print anything on standard output beside the protocol', async () => {
    const agent = agentThatStarts('banner');
    expect(await run(agent, 'garbage')).toEqual({ status: 'done' });
    expect(ports.text).toBe('still here');
  });

  it('that crashes fails the turn with its last words, and the next turn starts it again', async () => {
    const agent = agentThatStarts('');
    const outcome = await run(agent, 'crash');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent-failed' } });
    expect(outcome.error?.message).toContain('ended in the middle of the turn');
    expect(outcome.error?.message).toContain('scripted: out of memory');
    expect(outcome.error?.message.length).toBeLessThan(1000);
    expect(ports.text).toBe('working');

    const history: PriorMessage[] = [
      { role: 'user', text: 'crash' },
      { role: 'assistant', text: 'working' },
    ];
    ports.text = '';
    expect(await run(agent, 'hello', undefined, history)).toEqual({ status: 'done' });
    expect(ports.text).toMatch(/^pid \d+$/);
  });

  it('that closes its side without ending is ended', async () => {
    const outcome = await run(agentThatStarts(''), 'close-output');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent-failed' } });
  });

  it('that does not come back after Stop is ended, and the next turn starts it again', async () => {
    const agent = agentThatStarts('');
    const stop = new AbortController();
    const turn = run(agent, 'hang', stop.signal);
    await expect.poll(() => ports.text, { timeout: 20_000 }).toBe('working');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    stop.abort();
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    expect(await turn).toEqual({ status: 'stopped' });
    ports.text = '';
    expect(await run(agent, 'hello')).toEqual({ status: 'done' });
    expect(ports.text).toMatch(/^pid \d+$/);
  });

  it('keeps one process for a chat that goes on, and is gone after close', async () => {
    const agent = agentThatStarts('');
    await run(agent, 'hello');
    const first = ports.text;
    await run(agent, 'hello', undefined, [
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: first },
    ]);
    expect(ports.text).toBe(first + first);
    await agent.close?.();
    expect(await isAlive(Number(first.slice('pid '.length)))).toBe(false);
  });

  it('takes its whole family along: a child that ignores signals, and one in a session of its own', async () => {
    const agent = agentThatStarts('');
    expect(await run(agent, 'family')).toEqual({ status: 'done' });
    const family = JSON.parse(ports.text) as number[];
    expect(family).toHaveLength(3);
    expect(await Promise.all(family.map(isAlive))).toEqual([true, true, true]);
    await agent.close?.();
    expect(await Promise.all(family.map(isAlive))).toEqual([false, false, false]);
  });
});
