/** The parts of a session that stand on their own: questions, running work, net changes, an agent's context. */

import { describe, expect, it } from 'vitest';
import { contextOf } from '../../electron/session/agent-context.ts';
import { Approvals } from '../../electron/session/approvals.ts';
import { netChanges } from '../../electron/session/net-changes.ts';
import { ProgressBoard } from '../../electron/session/progress-board.ts';
import type { CaptureRow } from '../../electron/store/types.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { asMessageId, asSha256, asTurnNumber } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { RewindReport } from '../../shared/rewind.ts';
import type { ChatItem, SessionEvent } from '../../shared/transcript.ts';

const question = { callId: 'c1', tool: 'write_file', title: 'write a' };
const still = new AbortController().signal;

describe('approvals', () => {
  it('asks until it was allowed for the chat, then no more for that scope', async () => {
    const events: SessionEvent[] = [];
    const approvals = new Approvals((event) => events.push(event));
    const first = approvals.ask(question, 'write_file', still);
    expect(approvals.list()).toHaveLength(1);
    approvals.answer('approval-1', 'allow-for-chat');
    expect(await first).toBe(true);
    expect(await approvals.ask(question, 'write_file', still)).toBe(true);
    const other = approvals.ask(question, 'delete_file', still);
    approvals.answer('approval-2', 'deny');
    expect(await other).toBe(false);
    expect(approvals.list()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      'approval-requested',
      'approval-resolved',
      'approval-requested',
      'approval-resolved',
    ]);
  });

  it('allows once only once, and forgets what was allowed when the chat goes elsewhere', async () => {
    const approvals = new Approvals(() => undefined);
    const once = approvals.ask(question, 's', still);
    approvals.answer('approval-1', 'allow-once');
    expect(await once).toBe(true);
    const again = approvals.ask(question, 's', still);
    approvals.answer('approval-2', 'allow-for-chat');
    expect(await again).toBe(true);
    approvals.forgetAllowed();
    const third = approvals.ask(question, 's', still);
    approvals.answer('approval-3', 'deny');
    expect(await third).toBe(false);
  });

  it('takes Stop for a no', async () => {
    const approvals = new Approvals(() => undefined);
    const stop = new AbortController();
    const asked = approvals.ask(question, 's', stop.signal);
    stop.abort();
    expect(await asked).toBe(false);
    expect(await approvals.ask(question, 's', stop.signal)).toBe(false);
    expect(approvals.list()).toEqual([]);
  });
});

describe('running work', () => {
  it('is listed while it runs, can be stopped, and says when it is over, also after a failure', async () => {
    const events: SessionEvent[] = [];
    const board = new ProgressBoard((event) => events.push(event));
    const work = board.run('Reading the folder', { stoppable: true }, async (_report, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('stopped');
    });
    expect(board.list()).toMatchObject([{ name: 'Reading the folder', finished: false, stoppable: true }]);
    board.stop('progress-1');
    await expect(work).rejects.toThrow('stopped');
    expect(board.list()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'progress', progress: { finished: true } });
  });
});

const file = (letter: string, mode = 0o644): FileState => ({
  kind: 'content',
  sha256: asSha256(letter.repeat(64)),
  bytes: 1,
  mode,
});
const directory: FileState = { kind: 'directory', mode: 0o755 };

function capture(path: string, pre: FileState, post: FileState | null): CaptureRow {
  return {
    turn: asTurnNumber(1),
    path: parseRelPath(path),
    pre,
    intent: null,
    post,
    recovered: false,
    undoneBy: null,
    marks: [],
    temp: null,
    atMs: 0,
  };
}

it('lists net changes by path, and a directory only where nothing below it is listed', () => {
  expect(
    netChanges([
      capture('z', file('a'), ABSENT),
      capture('new', ABSENT, directory),
      capture('new/a', ABSENT, file('a')),
      capture('empty', ABSENT, directory),
      capture('newer', ABSENT, directory),
      capture('run.sh', file('a'), file('a', 0o755)),
      capture('b', file('a'), file('b')),
      capture('back', file('a'), file('a')),
      capture('pending', file('a'), null),
    ]),
  ).toEqual([
    { path: 'b', change: 'modified' },
    { path: 'empty', change: 'created' },
    { path: 'new/a', change: 'created' },
    { path: 'newer', change: 'created' },
    { path: 'run.sh', change: 'mode' },
    { path: 'z', change: 'deleted' },
  ]);
});

describe("an agent's context", () => {
  const messages = (...items: ChatItem[]) =>
    items.map((item, index) => ({
      id: asMessageId(index + 1),
      parentId: index === 0 ? null : asMessageId(index),
      turn: null,
      atMs: 0,
      item,
    }));
  const report = (change: Partial<RewindReport>): RewindReport => ({
    rewind: asTurnNumber(4),
    turn: asTurnNumber(2),
    kind: 'rewind',
    scope: 'files-only',
    restored: ['a.txt'],
    deleted: ['b.txt'],
    kept: [],
    conflicts: [],
    failed: [],
    notDone: [],
    ...change,
  });

  it('holds what was said and done, and how a turn ended when it was cut short', () => {
    const tool = {
      type: 'tool',
      callId: 'c',
      tool: 'read_file',
      title: 'read a',
      input: { path: 'a' },
    } as const;
    const context = contextOf(
      messages(
        { type: 'user', text: 'hi' },
        { ...tool, status: 'done', output: 'text' },
        { ...tool, status: 'failed', error: { code: 'path-not-found', message: 'No a.' } },
        { ...tool, status: 'cancelled' },
        { type: 'notice', level: 'info', text: 'not for the agent' },
        { type: 'assistant', text: 'ok' },
        { type: 'turn-end', outcome: 'stopped', files: [], notCovered: [] },
      ),
    );
    expect(context.map(({ role }) => role)).toEqual(['user', 'tool', 'tool', 'tool', 'assistant', 'note']);
    expect(context.map(({ tool }) => tool?.output)).toEqual([
      undefined,
      'text',
      'No a.',
      'Cancelled.',
      undefined,
      undefined,
    ]);
  });

  it('is told which files went back where only the files went back', () => {
    const [note] = contextOf(messages({ type: 'rewind', report: report({}) }));
    expect(note).toMatchObject({ role: 'note', text: expect.stringContaining('before turn 2') });
    expect(note?.text).toContain('a.txt');
    expect(note?.text).toContain('b.txt');
  });

  it('is told nothing of undone turns where the chat went back too', () => {
    expect(contextOf(messages({ type: 'rewind', report: report({ scope: 'files-and-chat' }) }))).toEqual([]);
    expect(contextOf(messages({ type: 'rewind', report: report({ scope: 'chat-only' }) }))).toEqual([]);
  });
});
