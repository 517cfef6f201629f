import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAiSdkClient } from '../../electron/agent/model/ai-sdk-client.ts';
import { listModels, modelAgent, testConnection } from '../../electron/agent/model/index.ts';
import { createModelAgent } from '../../electron/agent/model/model-agent.ts';
import { providerModel } from '../../electron/agent/model/provider-model.ts';
import type { Agent, AgentOutcome, PriorMessage } from '../../electron/agent/ports.ts';
import type { Provider } from '../../shared/settings.ts';
import { FakeAgentPorts } from '../helpers/fake-agent-ports.ts';
import type { Dialect } from '../helpers/stub-dialects.ts';
import { StubModelServer } from '../helpers/stub-model-server.ts';

const DIALECTS: readonly Dialect[] = ['openai-compatible', 'openai', 'anthropic', 'google'];

let server: StubModelServer;
let ports: FakeAgentPorts;
let waits: number[];

beforeEach(async () => {
  server = new StubModelServer();
  await server.start();
  ports = new FakeAgentPorts();
  waits = [];
});

afterEach(async () => {
  await server.stop();
});

const providerFor = (dialect: Dialect, more: Partial<Provider> = {}): Provider => ({
  id: 'stub',
  kind: dialect,
  name: 'Stub',
  model: 'stub-model',
  baseUrl: server.addressFor(dialect),
  ...more,
});

function agentFor(dialect: Dialect, more: Partial<Provider> = {}, stepLimit = 50): Agent {
  const provider = providerFor(dialect, more);
  return createModelAgent({
    provider,
    stepLimit,
    client: createAiSdkClient(providerModel(provider, 'a-key', fetch)),
    sleep: async (delayMs) => {
      waits.push(delayMs);
    },
  });
}

const run = (
  agent: Agent,
  prompt = 'do it',
  history: PriorMessage[] = [],
  signal = new AbortController().signal,
): Promise<AgentOutcome> => agent.runTurn({ prompt, history, signal }, ports);

describe.each(DIALECTS)('the model agent, %s dialect', (dialect) => {
  it('streams text and ends the turn', async () => {
    server.script({ text: 'All is well.' });
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(ports.text).toBe('All is well.');
    expect(ports.usages.at(-1)).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });

  it('runs parallel calls one after another and hands back the results', async () => {
    let running = 0;
    ports.answerTool = async (name) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { ok: true, output: `result of ${name}` };
    };
    server.script(
      {
        text: 'I will.',
        calls: [
          { name: 'write_file', input: { path: 'a.txt', content: 'a' } },
          { name: 'read_file', input: { path: 'a.txt' } },
        ],
      },
      { text: 'Finished.' },
    );
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(ports.calls).toEqual([
      { name: 'write_file', input: { path: 'a.txt', content: 'a' } },
      { name: 'read_file', input: { path: 'a.txt' } },
    ]);
    const second = JSON.stringify(server.requests[1]?.body);
    expect(second).toContain('result of write_file');
    expect(second).toContain('result of read_file');
  });

  it('offers every tool with a schema', async () => {
    server.script({ text: 'ok' });
    await run(agentFor(dialect));
    const body = JSON.stringify(server.requests[0]?.body);
    for (const name of ['read_file', 'write_file', 'edit_file', 'run_command', 'search_text'])
      expect(body).toContain(`"${name}"`);
    expect(body).toContain('"old"');
  });

  it('a refused call is told to the model and the loop goes on', async () => {
    ports.answerTool = () => ({
      ok: false,
      output: '',
      error: { code: 'edit-no-match', message: 'The text was not found.' },
    });
    server.script(
      { calls: [{ name: 'edit_file', input: { path: 'a', old: 'x', new: 'y' } }] },
      { text: 'I see.' },
    );
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('The text was not found.');
  });

  it('an unknown tool reaches the tools, which refuse it, and the loop goes on', async () => {
    ports.answerTool = (name) => ({
      ok: false,
      output: '',
      error: { code: 'tool-unknown', message: `There is no tool ${name}.` },
    });
    server.script({ calls: [{ name: 'launch_rocket', input: {} }] }, { text: 'Right.' });
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(ports.calls[0]?.name).toBe('launch_rocket');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('There is no tool launch_rocket.');
  });

  it('401 fails the turn and says to check the key; the key is in no message', async () => {
    server.script({ status: 401 });
    const outcome = await run(agentFor(dialect));
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not-authenticated' } });
    expect(outcome.error?.message).toContain('Settings');
    expect(JSON.stringify(outcome)).not.toContain('a-key');
    expect(waits).toEqual([]);
  });

  it('429 waits as long as the server asks, and says so', async () => {
    server.script({ status: 429, headers: { 'retry-after': '7' } }, { text: 'Now.' });
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(waits).toEqual([7000]);
    expect(ports.notices[0]?.text).toContain('again in 7 s');
  });

  it('500 is asked again with growing waits, and given up with the reason', async () => {
    server.script(...Array.from({ length: 5 }, () => ({ status: 500 })));
    const outcome = await run(agentFor(dialect));
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent-failed' } });
    expect(outcome.error?.message).toContain('500');
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  it('a dropped stream is gone on with where it stopped', async () => {
    server.script(
      { text: 'Half an answ', drop: true },
      { text: 'er, and a call.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { text: ' Read.' },
    );
    expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
    expect(ports.text).toBe('Half an answer, and a call. Read.');
    expect(ports.notices).toHaveLength(1);
    const [, resumed, next] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(resumed).toContain('Half an answ');
    expect(resumed).toContain('Go on exactly where your answer stopped');
    expect(next).toContain('Half an answer, and a call.');
    expect(next).not.toContain('Go on exactly');
  });

  it('Stop ends a slow stream, and the connection with it', async () => {
    server.script({ text: 'Thinking for long', hang: true });
    const stop = new AbortController();
    const turn = run(agentFor(dialect), 'do it', [], stop.signal);
    await expect.poll(() => ports.text).not.toBe('');
    stop.abort();
    expect(await turn).toEqual({ status: 'stopped' });
    await server.hangEnded;
  });

  it('sends the key where the dialect wants it and lists the models', async () => {
    const { models } = await listModels(providerFor(dialect), 'a-key', fetch, AbortSignal.timeout(5000));
    expect(models).toContainEqual({ id: 'stub-model', contextWindow: 32000 });
    server.script({ text: 'hello' });
    expect(await testConnection(providerFor(dialect), 'a-key', fetch)).toMatchObject({ ok: true });
    const headers = JSON.stringify(server.requests[0]?.headers);
    expect(headers).toContain('a-key');
    expect(server.requests[0]?.url).not.toContain('a-key');
  });
});

describe.each(['openai-compatible', 'openai', 'anthropic'] as const)(
  'bad JSON in a call, %s dialect',
  (dialect) => {
    it('is told to the model, and the next request is one that the provider can read', async () => {
      ports.answerTool = () => ({
        ok: false,
        output: '',
        error: { code: 'tool-bad-input', message: 'path: expected string' },
      });
      server.script({ calls: [{ name: 'read_file', input: '{"path": "a.txt' }] }, { text: 'Sorry.' });
      expect(await run(agentFor(dialect))).toEqual({ status: 'done' });
      expect(server.requests).toHaveLength(2);
      expect(JSON.stringify(server.requests[1]?.body)).toContain('could not be read');
    });
  },
);

describe('the model agent', () => {
  const dialect = 'openai-compatible';

  it('asks at the step limit and stops when the person says no', async () => {
    server.script(...Array.from({ length: 3 }, () => ({ calls: [{ name: 'list_files', input: {} }] })));
    ports.continueAnswer = false;
    expect(await run(agentFor(dialect, {}, 2))).toEqual({ status: 'stopped' });
    expect(ports.questions).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('goes on past the step limit when the person says yes', async () => {
    server.script(...Array.from({ length: 3 }, () => ({ calls: [{ name: 'list_files', input: {} }] })), {
      text: 'Done.',
    });
    expect(await run(agentFor(dialect, {}, 2))).toEqual({ status: 'done' });
    expect(ports.questions).toHaveLength(1);
  });

  it('reads the notes of the project into the system prompt', async () => {
    ports.files.set('AGENTS.md', 'Always use tabs.');
    ports.files.set('CLAUDE.md', 'Never push.');
    server.script({ text: 'ok' }, { text: 'ok' });
    await run(agentFor(dialect));
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/Always use tabs\..*Never push\./);
    ports.files.set('CLAUDE.md', 'Always use tabs.');
    await run(agentFor(dialect));
    expect(JSON.stringify(server.requests[1]?.body).match(/Always use tabs/g)).toHaveLength(1);
  });

  it('hands the earlier chat over, with calls of other agents as text', async () => {
    server.script({ text: 'ok' });
    await run(agentFor(dialect), 'and now?', [
      { role: 'user', text: 'first prompt' },
      {
        role: 'tool',
        text: 'write a.txt',
        tool: {
          callId: 'odd id / 1',
          name: 'write_file',
          input: { path: 'a.txt', content: 'x' },
          output: 'Wrote a.txt.',
          ok: true,
        },
      },
      {
        role: 'tool',
        text: 'Foreign edit',
        tool: { callId: '2', name: 'Edit', input: {}, output: 'fine', ok: true },
      },
      { role: 'assistant', text: 'I did.' },
      { role: 'note', text: 'a.txt went back.' },
    ]);
    const messages = JSON.stringify(server.requests[0]?.body.messages);
    for (const part of [
      'first prompt',
      'Wrote a.txt.',
      'another agent did: Foreign edit',
      'I did.',
      'a.txt went back.',
      'and now?',
    ])
      expect(messages).toContain(part);
    expect(messages).not.toContain('odd id');
  });

  it('condenses a chat that would not fit, and says so', async () => {
    const long = 'x'.repeat(3000);
    const history: PriorMessage[] = Array.from({ length: 30 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `${index} ${long}`,
    }));
    server.script({ text: 'SUMMARY OF IT' }, { text: 'Going on.' });
    expect(await run(agentFor(dialect, { contextWindow: 16_000 }), 'go on', history)).toEqual({
      status: 'done',
    });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('SUMMARY OF IT');
    expect(JSON.stringify(server.requests[1]?.body).length).toBeLessThan(60_000);
    expect(ports.notices.some(({ text }) => text.includes('condensed'))).toBe(true);
  });

  it('claims a cost only with the prices of the person', async () => {
    server.script({ text: 'ok' }, { text: 'ok' });
    await run(agentFor(dialect));
    expect(ports.usages.at(-1)?.costUsd).toBeNull();
    await run(agentFor(dialect, { pricePerMillionUsd: { input: 10, output: 50 } }));
    expect(ports.usages.at(-1)?.costUsd).toBeCloseTo(0.002);
  });

  it('without a key a provider that needs one is refused before anything is sent', () => {
    expect(() => modelAgent(providerFor('anthropic'), null, 50, fetch)).toThrow(/no key/);
    expect(server.requests).toEqual([]);
  });
});
