/** The life of a turn: recorded before the agent runs, asked where the mode says so, and never losing a capture. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { practiceAgent } from '../../electron/agent/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { SessionEvent } from '../../shared/transcript.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { agentThat, eventOf, sessionOn } from '../helpers/session.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const full = { agentId: 'practice', mode: 'full' } as const;
const asked = (event: SessionEvent): event is Extract<SessionEvent, { type: 'approval-requested' }> =>
  event.type === 'approval-requested';

describe('a turn', () => {
  it('is in the history before the agent runs, and in the conversation as it happens', async () => {
    const seen: unknown[] = [];
    const agent = agentThat('a', async (_turn, ports) => {
      seen.push(test.session.history().map(({ turn, outcome }) => [turn, outcome]));
      ports.say('Hel');
      ports.say('lo');
      await ports.callTool('write_file', { path: 'a', content: 'x' });
      ports.say('Bye');
    });
    const test = await sessionOn(folder, [agent]);
    const turns: number[] = [];
    const result = await test.session.send('please', { agentId: 'a', mode: 'full' }, (turn) =>
      turns.push(turn),
    );
    expect(seen).toEqual([[[1, 'running']]]);
    expect(turns).toEqual([1]);
    expect(result).toMatchObject({ turn: 1, status: 'done', text: 'Hello\n\nBye' });
    const { messages, running } = test.session.snapshot();
    expect(running).toBeNull();
    expect(messages.map(({ item }) => item)).toMatchObject([
      { type: 'user', text: 'please' },
      { type: 'assistant', text: 'Hello' },
      { type: 'tool', title: 'write a', status: 'done' },
      { type: 'assistant', text: 'Bye' },
      { type: 'turn-end', outcome: 'done', files: [{ path: 'a', change: 'created' }] },
    ]);
    const types = test.events.map(({ type }) => type);
    expect(types[0]).toBe('turn-started');
    expect(types).toContain('text-delta');
    expect(types.indexOf('turn-ended')).toBeGreaterThan(types.lastIndexOf('message-added'));
  });

  it('keeps what was captured when the agent throws, and says why it failed', async () => {
    await write('a', '0');
    const agent = agentThat('a', async (_turn, ports) => {
      await ports.callTool('write_file', { path: 'a', content: '1' });
      throw new Error('The wire was cut.');
    });
    const { session } = await sessionOn(folder, [agent]);
    expect(await session.send('go', { agentId: 'a', mode: 'full' })).toMatchObject({ status: 'failed' });
    expect(session.snapshot().messages.map(({ item }) => item)).toContainEqual({
      type: 'notice',
      level: 'error',
      text: 'The wire was cut.',
    });
    await session.rewind({ turn: 'last', scope: 'files-only', conflicts: 'abort' });
    expect(await read('a')).toBe('0');
  });

  it('runs calls one after another however the agent makes them', async () => {
    const agent = agentThat('a', async (_turn, ports) => {
      await Promise.all([
        ports.callTool('run_command', { command: 'printf 1 >> log; sleep 0.2; printf 2 >> log' }, 'x'),
        ports.callTool('run_command', { command: 'printf 3 >> log' }, 'x'),
      ]);
    });
    const { session } = await sessionOn(folder, [agent]);
    await session.send('go', { agentId: 'a', mode: 'full' });
    expect(await read('log')).toBe('123');
  });

  it('refuses a second turn, a rewind and slash commands while or instead of running one', async () => {
    let finish = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      finish = () => resolve();
    });
    const agent = agentThat('a', () => wait);
    const { session } = await sessionOn(folder, [agent]);
    const running = session.send('go', { agentId: 'a', mode: 'full' });
    await expect(session.send('more', full)).rejects.toMatchObject({ code: 'turn-running' });
    await expect(
      session.rewind({ turn: 'last', scope: 'files-only', conflicts: 'abort' }),
    ).rejects.toMatchObject({ code: 'turn-running' });
    await expect(session.redo()).rejects.toMatchObject({ code: 'turn-running' });
    finish();
    await running;
    for (const line of ['/rewind 1', '/help', '/nope']) {
      await expect(session.send(line, full)).rejects.toMatchObject({ code: 'usage' });
    }
    expect(session.history()).toHaveLength(1);
  });

  it('refuses an agent that is not there before anything is recorded', async () => {
    const { session } = await sessionOn(folder, [], {
      agentOf: () => {
        throw new AppError('agent-unavailable', 'No such agent.');
      },
    });
    await expect(session.send('hi', full)).rejects.toMatchObject({ code: 'agent-unavailable' });
    expect(session.history()).toEqual([]);
    expect(session.snapshot().running).toBeNull();
  });
});

describe('asking', () => {
  it('shows the exact command and the diff of an edit, and remembers for the chat what was allowed', async () => {
    await write('a', 'one\n');
    const test = await sessionOn(folder);
    test.session.subscribe((event) => {
      if (event.type === 'approval-requested')
        test.session.answerApproval(event.request.approvalId, 'allow-for-chat');
    });
    const calls = [
      { tool: 'edit_file', path: 'a', old: 'one', new: 'two' },
      { tool: 'edit_file', path: 'a', old: 'two', new: 'three' },
      { tool: 'run_command', command: 'true' },
      { tool: 'run_command', command: 'true' },
      { tool: 'run_command', command: 'true && true' },
      { tool: 'read_file', path: 'a' },
    ];
    const result = await test.session.send(JSON.stringify(calls), { agentId: 'practice', mode: 'ask' });
    expect(result.status).toBe('done');
    expect(test.events.filter(asked).map(({ request }) => request)).toMatchObject([
      { tool: 'edit_file', title: 'edit a', path: 'a', diff: expect.stringContaining('-one\n+two') },
      { tool: 'run_command', command: 'true' },
      { tool: 'run_command', command: 'true && true' },
    ]);
    expect(test.session.snapshot().approvals).toEqual([]);
  });

  it('goes on after a no, and tells the agent', async () => {
    const test = await sessionOn(folder);
    const running = test.session.send('write a: x\nwrite b: x', { agentId: 'practice', mode: 'ask' });
    const { request } = await eventOf(test, asked);
    expect(test.session.snapshot().approvals).toEqual([request]);
    test.session.subscribe((event) => {
      if (event.type === 'approval-requested')
        test.session.answerApproval(event.request.approvalId, 'allow-once');
    });
    test.session.answerApproval(request.approvalId, 'deny');
    expect(await running).toMatchObject({
      status: 'failed',
      toolCalls: [{ ok: false, error: { code: 'tool-denied' } }, { ok: true }],
      files: [{ path: 'b' }],
    });
  });

  it('ends an open question when the turn is stopped', async () => {
    const test = await sessionOn(folder);
    const running = test.session.send('write a: x', { agentId: 'practice', mode: 'ask' });
    await eventOf(test, asked);
    await test.session.stop();
    expect(await running).toMatchObject({ status: 'stopped', files: [] });
    expect(test.session.snapshot()).toMatchObject({ approvals: [], running: null });
    expect(test.session.snapshot().messages.map(({ item }) => item)).toMatchObject([
      { type: 'user' },
      { type: 'tool', status: 'cancelled' },
      { type: 'turn-end', outcome: 'stopped' },
    ]);
  });
});

describe('an agent that rereads before it writes', () => {
  it('is refused a write over an edit it has not seen, until it has read the file again', async () => {
    await write('a', 'one\n');
    const results: unknown[] = [];
    const careful = agentThat(
      'a',
      async (_turn, ports) => {
        await ports.callTool('read_file', { path: 'a' });
        await write('a', "one\nthe person's line\n");
        for (const [tool, input] of [
          ['edit_file', { path: 'a', old: 'one', new: 'two' }],
          ['write_file', { path: 'a', content: 'gone' }],
          ['read_file', { path: 'a' }],
          ['edit_file', { path: 'a', old: 'one', new: 'two' }],
          ['edit_file', { path: 'a', old: 'two', new: 'three' }],
        ] as const) {
          const { ok, error } = await ports.callTool(tool, input);
          results.push(ok || error?.code);
        }
      },
      { rereadsBeforeWriting: true },
    );
    const { session } = await sessionOn(folder, [careful]);
    await session.send('go', { agentId: 'a', mode: 'full' });
    expect(results).toEqual(['path-changed', 'path-changed', true, true, true]);
    expect(await read('a')).toBe("three\nthe person's line\n");
  });
});

describe('an agent that writes by itself', () => {
  it('is undone as exactly as one that uses our tools; each approval is a point of its own', async () => {
    await write('a', '0');
    await write('mine', '0');
    const foreign = agentThat(
      'foreign',
      async (_turn, ports) => {
        ports.showCall({ callId: 'c', title: 'Edit a', status: 'running' });
        await write('a', '1');
        ports.showCall({ callId: 'c', title: 'Edit a', status: 'done', output: 'ok' });
        await ports.observe();
        expect(await ports.approveForeign({ callId: 'd', title: 'rm mine', command: 'rm mine' })).toBe(
          'allow',
        );
        await write('made', '1');
        await ports.callTool('write_file', { path: 'made', content: '2' });
      },
      { guarantee: 'opaque' },
    );
    const { session } = await sessionOn(folder, [foreign]);
    const before = await treeOf(folder);
    const result = await session.send('go', { agentId: 'foreign', mode: 'full' });
    expect(result.files).toEqual([
      { path: 'a', change: 'modified' },
      { path: 'made', change: 'created' },
    ]);
    expect(result.toolCalls).toMatchObject([
      { ok: true, output: 'ok' },
      {},
      { tool: 'write_file', ok: true },
    ]);
    await session.rewind({ turn: 1 as never, scope: 'files-only', conflicts: 'abort' });
    expect(await treeOf(folder)).toEqual(before);
  });

  it('is told no in a read-only chat', async () => {
    const answers: string[] = [];
    const foreign = agentThat(
      'foreign',
      async (_turn, ports) => {
        answers.push(await ports.approveForeign({ callId: 'c', title: 'Edit a' }));
      },
      { guarantee: 'opaque' },
    );
    const { session } = await sessionOn(folder, [foreign]);
    await session.send('go', { agentId: 'foreign', mode: 'read-only' });
    expect(answers).toEqual(['deny']);
  });
});

describe('after a restart', () => {
  it('the conversation, the history and the agent’s context are as they were', async () => {
    const contexts: unknown[] = [];
    const agent = agentThat('a', async ({ history }, ports) => {
      contexts.push(history.map(({ role, text }) => [role, text]));
      ports.say('noted');
    });
    const first = await sessionOn(folder, [agent]);
    await first.session.send('remember me', { agentId: 'a', mode: 'full' });
    const { messages } = first.session.snapshot();
    await first.session.close();

    const second = await sessionOn(folder, [agent]);
    expect(second.session.snapshot().messages).toEqual(messages);
    await second.session.send('again', { agentId: 'a', mode: 'full' });
    expect(contexts).toEqual([
      [],
      [
        ['user', 'remember me'],
        ['assistant', 'noted'],
      ],
    ]);
  });

  it('closing in the middle of a turn stops it first', async () => {
    const first = await sessionOn(folder, [practiceAgent]);
    const running = first.session.send('write a: x\nrun: sleep 600', full);
    await eventOf(
      first,
      (event): event is Extract<SessionEvent, { type: 'message-updated' }> =>
        event.type === 'message-updated' &&
        event.message.item.type === 'tool' &&
        event.message.item.tool === 'run_command' &&
        event.message.item.status === 'running',
    );
    await first.session.close();
    expect(await running).toMatchObject({ status: 'stopped' });
    const second = await sessionOn(folder);
    expect(second.session.history()).toMatchObject([{ turn: 1, outcome: 'stopped' }]);
  });

  it('Forget history removes it for good and leaves the files', async () => {
    const { session } = await sessionOn(folder);
    await session.send('write a: x', full);
    const { storeId } = session;
    await session.forgetHistory();
    expect(session.history()).toEqual([]);
    expect(session.snapshot().messages).toEqual([]);
    expect(session.storeId).not.toBe(storeId);
    expect(await read('a')).toBe('x\n');
    expect(await session.send('write b: x', full)).toMatchObject({ turn: 1 });
  });
});
