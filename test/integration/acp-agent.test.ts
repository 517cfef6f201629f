import {
  type AgentApp,
  type AgentContext,
  agent as agentApp,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { relativeToFolder } from '../../electron/agent/acp/folder-paths.ts';
import { type AgentEnvironment, type AgentProcess, createAcpAgent } from '../../electron/agent/acp/index.ts';
import { quirksOf } from '../../electron/agent/acp/quirks.ts';
import type { Agent, AgentOutcome, PriorMessage } from '../../electron/agent/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { FakeAgentPorts } from '../helpers/fake-agent-ports.ts';

const ROOT = '/home/person/project';

/** An agent in the same process that does what a test says at each prompt, and keeps what it was told. */
class ScriptedAgent {
  readonly prompts: string[] = [];
  readonly modesSet: string[] = [];
  readonly initialized: unknown[] = [];
  readonly sessions: unknown[] = [];
  starts = 0;
  kills = 0;
  modes: string[] | null = null;
  currentMode = '';
  isLoggedIn = true;
  onPrompt: (say: ScriptedTurn) => Promise<'end_turn' | 'cancelled' | 'refusal' | 'max_tokens'> = async () =>
    'end_turn';
  readonly environments: AgentEnvironment[] = [];
  #cancelled = new AbortController();

  readonly start = async (
    _command: readonly string[],
    environment: AgentEnvironment,
  ): Promise<AgentProcess> => {
    this.starts += 1;
    this.environments.push(environment);
    let end = (_words: string): void => undefined;
    const exited = new Promise<string>((resolve) => {
      end = resolve;
    });
    return {
      connection: this.#app(),
      exited,
      kill: async () => {
        this.kills += 1;
        end('');
      },
    };
  };

  #app(): AgentApp {
    return agentApp({ name: 'scripted' })
      .onRequest('initialize', ({ params }) => {
        this.initialized.push(params);
        return { protocolVersion: 1, agentCapabilities: {} };
      })
      .onRequest('session/new', ({ params }) => {
        if (!this.isLoggedIn) throw new RequestError(-32000, 'Authentication required');
        this.sessions.push(params);
        const modes = this.modes;
        return {
          sessionId: `s${this.sessions.length}`,
          ...(modes === null
            ? {}
            : {
                modes: {
                  currentModeId: this.currentMode,
                  availableModes: modes.map((id) => ({ id, name: id })),
                },
              }),
        };
      })
      .onRequest('session/set_mode', ({ params }) => {
        this.modesSet.push(params.modeId);
        return {};
      })
      .onNotification('session/cancel', () => this.#cancelled.abort())
      .onRequest('session/prompt', async ({ params, client }) => {
        this.#cancelled = new AbortController();
        this.prompts.push(params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join(''));
        return {
          stopReason: await this.onPrompt(new ScriptedTurn(client, params.sessionId, this.#cancelled.signal)),
        };
      });
  }
}

class ScriptedTurn {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly cancelled: AbortSignal;

  constructor(client: AgentContext, sessionId: string, cancelled: AbortSignal) {
    this.client = client;
    this.sessionId = sessionId;
    this.cancelled = cancelled;
  }

  update(update: SessionUpdate): Promise<void> {
    return this.client.notify('session/update', { sessionId: this.sessionId, update });
  }

  say(text: string): Promise<void> {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  ask(
    toolCall: { toolCallId: string; title?: string; [key: string]: unknown },
    kinds = ['allow_always', 'allow_once', 'reject_once'],
  ) {
    return this.client.request('session/request_permission', {
      sessionId: this.sessionId,
      toolCall,
      options: kinds.map((kind) => ({ optionId: `id-${kind}`, name: kind, kind: kind as 'allow_once' })),
    });
  }
}

let scripted: ScriptedAgent;
let ports: FakeAgentPorts;

beforeEach(() => {
  scripted = new ScriptedAgent();
  ports = new FakeAgentPorts();
});

const agentOf = (command: readonly string[] = ['some-agent']): Agent =>
  createAcpAgent({ id: 'ext', name: 'Some agent', command, root: ROOT, start: scripted.start });

const run = (
  agent: Agent,
  prompt = 'do it',
  history: PriorMessage[] = [],
  signal = new AbortController().signal,
): Promise<AgentOutcome> => agent.runTurn({ prompt, history, signal }, ports);

describe('the external agent', () => {
  it('streams what the agent says and ends with it', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.say('Hel');
      await turn.say('lo.');
      return 'end_turn';
    };
    expect(await run(agentOf())).toEqual({ status: 'done' });
    expect(ports.text).toBe('Hello.');
    expect(scripted.sessions).toEqual([{ cwd: ROOT, mcpServers: [] }]);
  });

  it('answers only for once, and never with always', async () => {
    const answers: unknown[] = [];
    scripted.onPrompt = async (turn) => {
      answers.push(await turn.ask({ toolCallId: 't1', title: 'Run it', rawInput: { command: 'npm test' } }));
      ports.approvalAnswer = 'deny';
      answers.push(await turn.ask({ toolCallId: 't2', title: 'Again' }));
      answers.push(
        await turn.ask({ toolCallId: 't3', title: 'Only always' }, ['allow_always', 'reject_always']),
      );
      ports.approvalAnswer = 'allow';
      answers.push(
        await turn.ask({ toolCallId: 't4', title: 'Only always' }, ['allow_always', 'reject_always']),
      );
      return 'end_turn';
    };
    await run(agentOf());
    expect(answers).toEqual([
      { outcome: { outcome: 'selected', optionId: 'id-allow_once' } },
      { outcome: { outcome: 'selected', optionId: 'id-reject_once' } },
      { outcome: { outcome: 'cancelled' } },
      { outcome: { outcome: 'cancelled' } },
    ]);
    expect(ports.approvals[0]).toEqual({ callId: 't1', title: 'Run it', command: 'npm test' });
  });

  it('shows the diff of an edit before it is allowed', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.ask({
        toolCallId: 't1',
        title: 'Edit a.txt',
        content: [{ type: 'diff', path: `${ROOT}/a.txt`, oldText: 'one\n', newText: 'two\n' }],
      });
      return 'end_turn';
    };
    await run(agentOf());
    expect(ports.approvals[0]?.path).toBe(`${ROOT}/a.txt`);
    expect(ports.approvals[0]?.diff).toContain('-one');
    expect(ports.approvals[0]?.diff).toContain('+two');
  });

  it('keeps calls by id in any order, and looks at the folder after each finished one', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'in_progress' });
      await turn.update({
        sessionUpdate: 'tool_call',
        toolCallId: 't1',
        title: 'Edit',
        status: 'in_progress',
      });
      await turn.update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't1',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'ok' } }],
      });
      return 'end_turn';
    };
    await run(agentOf());
    expect(ports.shown.map(({ callId, title, status }) => [callId, title, status])).toEqual([
      ['t1', 'Tool call', 'running'],
      ['t1', 'Edit', 'running'],
      ['t1', 'Edit', 'done'],
    ]);
    expect(ports.shown.at(-1)?.output).toBe('ok');
    expect(ports.observations).toBe(1);
  });

  it('does one thing after another, though an agent asks for several at once', async () => {
    const order: string[] = [];
    const slowly = async (name: string): Promise<void> => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    ports.approveForeign = async ({ callId }) => {
      await slowly(callId);
      return 'allow';
    };
    ports.writeText = async (path) => {
      await slowly(path);
      return { ok: true, output: '' };
    };
    scripted.onPrompt = async (turn) => {
      await Promise.all([
        turn.ask({ toolCallId: 'one' }),
        turn.client.request('fs/write_text_file', {
          sessionId: turn.sessionId,
          path: `${ROOT}/a.txt`,
          content: '',
        }),
        turn.ask({ toolCallId: 'two' }),
      ]);
      return 'end_turn';
    };
    await run(agentOf());
    expect(order).toHaveLength(6);
    expect(order.filter((_, index) => index % 2 === 1)).toEqual(
      order.filter((_, index) => index % 2 === 0).map((line) => line.replace('begins', 'ends')),
    );
  });

  it('marks calls that never ended as cancelled', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.update({
        sessionUpdate: 'tool_call',
        toolCallId: 't1',
        title: 'Hanging',
        status: 'in_progress',
      });
      return 'end_turn';
    };
    await run(agentOf());
    expect(ports.shown.at(-1)).toEqual({ callId: 't1', title: 'Hanging', status: 'cancelled' });
  });

  it('shows a plan', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.update({
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', priority: 'high', status: 'completed' },
          { content: 'Change', priority: 'high', status: 'pending' },
        ],
      });
      return 'end_turn';
    };
    await run(agentOf());
    expect(ports.shown[0]).toMatchObject({ title: 'Plan', output: '[x] Look\n[ ] Change' });
  });

  it('writes through the funnel, once allowed without asking again', async () => {
    scripted.onPrompt = async (turn) => {
      const write = (name: string) =>
        turn.client.request('fs/write_text_file', {
          sessionId: turn.sessionId,
          path: `${ROOT}/${name}`,
          content: 'x',
        });
      await write('unasked.txt');
      await turn.ask({ toolCallId: 't', content: [{ type: 'diff', path: `${ROOT}/a.txt`, newText: 'x' }] });
      await write('a.txt');
      await write('a.txt');
      return 'end_turn';
    };
    await run(agentOf());
    expect(ports.writes.map(({ path, allowed }) => [path, allowed])).toEqual([
      ['unasked.txt', false],
      ['a.txt', true],
      ['a.txt', false],
    ]);
  });

  it('refuses reads and writes outside of the folder', async () => {
    const refusals: string[] = [];
    scripted.onPrompt = async (turn) => {
      for (const path of ['/etc/passwd', `${ROOT}/../other/x`]) {
        await turn.client
          .request('fs/write_text_file', { sessionId: turn.sessionId, path, content: 'x' })
          .catch((error: unknown) => refusals.push(String(error)));
        await turn.client
          .request('fs/read_text_file', { sessionId: turn.sessionId, path })
          .catch((error: unknown) => refusals.push(String(error)));
      }
      return 'end_turn';
    };
    expect(await run(agentOf())).toEqual({ status: 'done' });
    expect(refusals).toHaveLength(4);
    expect(ports.writes).toEqual([]);
  });

  it('reads parts of a file as they are', async () => {
    ports.files.set('a.txt', 'one\r\ntwo\nthree');
    const read: string[] = [];
    scripted.onPrompt = async (turn) => {
      const readPart = async (part: { line?: number; limit?: number }): Promise<void> => {
        const request = { sessionId: turn.sessionId, path: `${ROOT}/a.txt`, ...part };
        const { content } = await turn.client.request<{ content: string }>('fs/read_text_file', request);
        read.push(content);
      };
      await readPart({});
      await readPart({ line: 2, limit: 1 });
      return 'end_turn';
    };
    await run(agentOf());
    expect(read).toEqual(['one\r\ntwo\nthree', 'two\n']);
  });

  it('sets the gated mode when the agent starts in another', async () => {
    scripted.modes = ['auto', 'default'];
    scripted.currentMode = 'auto';
    await run(agentOf());
    expect(scripted.modesSet).toEqual(['default']);
  });

  it('says when the agent leaves the gated mode by itself', async () => {
    scripted.modes = ['auto', 'default'];
    scripted.currentMode = 'default';
    scripted.onPrompt = async (turn) => {
      await turn.update({ sessionUpdate: 'current_mode_update', currentModeId: 'auto' });
      return 'end_turn';
    };
    await run(agentOf());
    expect(scripted.modesSet).toEqual([]);
    expect(ports.notices[0]?.text).toContain('"auto"');
  });

  it('an agent that is not logged in says so', async () => {
    scripted.isLoggedIn = false;
    const outcome = await run(agentOf());
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not-authenticated' } });
    expect(outcome.error?.message).toContain('Log in');
    expect(scripted.kills).toBe(1);
  });

  it('Stop cancels the prompt, and the session lives on', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.say('working');
      await new Promise((resolve) => turn.cancelled.addEventListener('abort', resolve));
      return 'cancelled';
    };
    const agent = agentOf();
    const stop = new AbortController();
    const turn = run(agent, 'long work', [], stop.signal);
    await expect.poll(() => ports.text).toBe('working');
    stop.abort();
    expect(await turn).toEqual({ status: 'stopped' });
    scripted.onPrompt = async () => 'end_turn';
    const history: PriorMessage[] = [
      { role: 'user', text: 'long work' },
      { role: 'assistant', text: 'working' },
    ];
    expect(await run(agent, 'next', history)).toEqual({ status: 'done' });
    expect(scripted.starts).toBe(1);
    expect(scripted.prompts.at(-1)).toBe('next');
  });

  it('a refusal fails the turn; a limit is said and does not', async () => {
    scripted.onPrompt = async () => 'refusal';
    expect(await run(agentOf())).toMatchObject({ status: 'failed' });
    scripted.onPrompt = async () => 'max_tokens';
    expect(await run(agentOf())).toEqual({ status: 'done' });
    expect(ports.notices.at(-1)?.text).toContain('max_tokens');
  });

  it('goes on in the same session while the chat goes on, and tells it what went back', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.say('Answer.');
      return 'end_turn';
    };
    const agent = agentOf();
    await run(agent, 'first');
    const history: PriorMessage[] = [
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'Answer.' },
      { role: 'note', text: 'a.txt went back.' },
    ];
    await run(agent, 'second', history);
    expect(scripted.starts).toBe(1);
    expect(scripted.prompts).toEqual(['first', '[Note from the app: a.txt went back.]\n\nsecond']);
  });

  it('begins a new session when the chat was rewound, and nothing of the undone turns is told', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.say('Answer.');
      return 'end_turn';
    };
    const agent = agentOf();
    await run(agent, 'first');
    await run(agent, 'SECRET second', [
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'Answer.' },
    ]);
    await run(agent, 'third', [
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'Answer.' },
    ]);
    expect(scripted.starts).toBe(2);
    expect(scripted.prompts.at(-1)).toContain('first');
    expect(scripted.prompts.at(-1)).not.toContain('SECRET');
  });
});

describe('quirks', () => {
  it('opencode: its questions are forced on, and its announced writes do not write', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.client.request('fs/write_text_file', {
        sessionId: turn.sessionId,
        path: 'a.txt',
        content: 'late',
      });
      return 'end_turn';
    };
    await run(agentOf(['opencode', 'acp']));
    expect(ports.writes).toEqual([]);
    expect(scripted.environments[0]?.sets.OPENCODE_CONFIG_CONTENT).toContain('"ask"');
  });

  it('gemini: reading is not offered', async () => {
    await run(agentOf(['gemini', '--experimental-acp']));
    expect(scripted.initialized[0]).toMatchObject({
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: true } },
    });
  });

  it('claude: settings of the project are not read', async () => {
    await run(agentOf(['npx', '-y', 'claude-code-acp']));
    expect(scripted.sessions[0]).toMatchObject({
      _meta: { claudeCode: { options: { settingSources: ['user'] } } },
    });
  });

  it('a project that can switch the questions off is asked about before the start', async () => {
    ports.files.set('opencode.json', '{}');
    const agent = agentOf(['opencode', 'acp']);
    expect(await run(agent)).toEqual({ status: 'done' });
    const title =
      'Start Some agent in this folder, whose opencode.json can switch off its questions or run programs';
    expect(ports.approvals).toEqual([{ callId: 'start', title }]);
    expect(ports.shown.at(-1)).toEqual({ callId: 'start', title, status: 'done' });
  });

  it('and nothing is started when the person says no', async () => {
    ports.files.set('.qwen', 'a folder, but here it only has to be there');
    ports.approvalAnswer = 'deny';
    const outcome = await run(agentOf(['qwen', '--acp']));
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool-denied' } });
    expect(outcome.error?.message).toContain('Look at .qwen first');
    expect(scripted.starts).toBe(0);
  });

  it('a folder in the place of a settings file counts, since only the agent knows how it reads it', async () => {
    ports.readText = (path) =>
      Promise.reject(new AppError(path === '.gemini' ? 'path-wrong-kind' : 'path-not-found', 'No.'));
    await run(agentOf(['gemini', '--acp']));
    expect(ports.approvals).toHaveLength(1);
    await run(agentOf(['qwen', '--acp']));
    expect(ports.approvals).toHaveLength(1);
  });

  it('opencode: its own agent is the mode, not one that the project brings', async () => {
    scripted.modes = ['evil', 'build', 'plan'];
    scripted.currentMode = 'evil';
    await run(agentOf(['opencode', 'acp']));
    expect(scripted.modesSet).toEqual(['build']);
    expect(scripted.environments[0]?.sets.OPENCODE_CONFIG_CONTENT).toContain('"default_agent":"build"');
  });

  it('a command that only its title names is shown as one', async () => {
    scripted.onPrompt = async (turn) => {
      await turn.ask({ toolCallId: 't', title: 'rm -rf build', kind: 'execute' });
      return 'end_turn';
    };
    await run(agentOf(['gemini', '--acp']));
    expect(ports.approvals[0]).toMatchObject({ command: 'rm -rf build' });
  });

  it('codex begins read-only', () => {
    expect(quirksOf(['codex-acp']).gatedModes[0]).toBe('read-only');
  });

  it.each([
    [
      ['/opt/tools/gemini', '--acp'],
      ['GEMINI_', 'GOOGLE_'],
    ],
    [
      ['npx', '-y', '@zed-industries/claude-code-acp'],
      ['ANTHROPIC_', 'CLAUDE_'],
    ],
    [
      ['C:\\tools\\qwen.cmd', '--acp'],
      ['QWEN_', 'DASHSCOPE_', 'OPENAI_'],
    ],
    [['/home/gemini/my-agent', '--model', 'claude'], []],
  ])('%j inherits the keys %j', (command, expected) => {
    expect(quirksOf(command).environment.inherits).toEqual(expected);
  });
});

describe('paths of external agents', () => {
  it.each([
    ['linux', '/a/b', '/a/b/c/d.txt', 'c/d.txt'],
    ['linux', '/a/b', 'c.txt', 'c.txt'],
    ['win32', 'C:\\a', 'c:\\a\\b\\c.txt', 'b/c.txt'],
  ] as const)('%s: in %s, %s is %s', (platform, root, path, expected) => {
    expect(relativeToFolder(root, path, platform)).toBe(expected);
  });

  it.each([
    ['linux', '/a/b', '/a/bc/d.txt'],
    ['linux', '/a/b', '/a/b'],
    ['linux', '/a/b', '/a/b/../c'],
    ['win32', 'C:\\a', 'D:\\a\\b.txt'],
  ] as const)('%s: in %s, %s is refused', (platform, root, path) => {
    expect(() => relativeToFolder(root, path, platform)).toThrow(/outside of the folder/);
  });
});
