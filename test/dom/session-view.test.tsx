import { describe, expect, test } from 'vitest';
import {
  reduceSession,
  type SessionView,
  undoableRewind,
  viewOf,
} from '../../renderer/state/session-view.ts';
import { asMessageId, asTurnNumber } from '../../shared/ids.ts';
import type { SessionEvent } from '../../shared/transcript.ts';
import { SNAPSHOT } from './fake-bridge.ts';
import { message, report } from './samples.ts';

const viewAfter = (events: readonly SessionEvent[], start: SessionView = viewOf(SNAPSHOT)) =>
  events.reduce(reduceSession, start);
const tool = { type: 'tool', callId: 'c', tool: 'run_command', title: 'ls', input: {} } as const;

describe('the conversation follows its events', () => {
  test('a streamed token leaves the list of messages as it is', () => {
    const before = viewAfter([
      { type: 'message-added', message: message(1, { type: 'assistant', text: '' }) },
    ]);
    const streamed = viewAfter([{ type: 'text-delta', id: asMessageId(1), delta: 'Hel' }], before);
    const more = viewAfter([{ type: 'text-delta', id: asMessageId(1), delta: 'lo' }], streamed);
    expect(more.messages).toBe(before.messages);
    expect(more.live[1]).toBe('Hello');
  });

  test('the whole text replaces what was streamed', () => {
    const view = viewAfter([
      { type: 'message-added', message: message(1, { type: 'assistant', text: '' }) },
      { type: 'text-delta', id: asMessageId(1), delta: 'Hello' },
      { type: 'message-updated', message: message(1, { type: 'assistant', text: 'Hello there' }) },
    ]);
    expect(view.live).toEqual({});
    expect(view.messages).toHaveLength(1);
    expect(view.messages[0]?.item).toEqual({ type: 'assistant', text: 'Hello there' });
  });

  test('a change of status keeps the output that streams; the final output replaces it', () => {
    const running = viewAfter([
      { type: 'message-added', message: message(1, { ...tool, status: 'pending' }) },
      { type: 'output-delta', id: asMessageId(1), delta: 'a\n' },
      { type: 'message-updated', message: message(1, { ...tool, status: 'running' }) },
    ]);
    expect(running.live[1]).toBe('a\n');
    const done = viewAfter(
      [{ type: 'message-updated', message: message(1, { ...tool, status: 'done', output: 'a\nb\n' }) }],
      running,
    );
    expect(done.live).toEqual({});
  });

  test('a message that arrives twice stands there once', () => {
    const added = { type: 'message-added', message: message(1, { type: 'user', text: 'x' }) } as const;
    expect(viewAfter([added, added]).messages).toHaveLength(1);
  });

  test('approvals go when they are answered, and with the end of the turn', () => {
    const request = { approvalId: 'a', callId: 'c', tool: 'run_command', title: 'ls' };
    const asked = viewAfter([
      { type: 'turn-started', turn: asTurnNumber(1) },
      { type: 'approval-requested', request },
    ]);
    expect(asked.approvals).toEqual([request]);
    expect(viewAfter([{ type: 'approval-resolved', approvalId: 'a' }], asked).approvals).toEqual([]);
    const ended = viewAfter([{ type: 'turn-ended', turn: asTurnNumber(1), outcome: 'stopped' }], asked);
    expect(ended).toMatchObject({ approvals: [], running: null });
  });

  test('progress is replaced by id and removed when finished', () => {
    const progress = { id: 'p', name: 'Reading', done: 1, total: 9, finished: false, stoppable: true };
    const view = viewAfter([
      { type: 'progress', progress },
      { type: 'progress', progress: { ...progress, done: 5 } },
    ]);
    expect(view.progress).toEqual([{ ...progress, done: 5 }]);
    expect(
      viewAfter([{ type: 'progress', progress: { ...progress, finished: true } }], view).progress,
    ).toEqual([]);
  });
});

describe('the undo of a rewind', () => {
  const rewound = viewAfter([
    { type: 'message-added', message: message(1, { type: 'rewind', report: report() }) },
  ]);

  test('is offered after a rewind', () => {
    expect(undoableRewind(rewound)).toBe(9);
  });

  test('ends with the next turn', () => {
    expect(undoableRewind(viewAfter([{ type: 'turn-started', turn: asTurnNumber(10) }], rewound))).toBeNull();
  });

  test('ends when the rewind was undone', () => {
    const undone = message(2, { type: 'rewind', report: report({ kind: 'redo', rewind: asTurnNumber(10) }) });
    expect(undoableRewind(viewAfter([{ type: 'message-added', message: undone }], rewound))).toBeNull();
  });

  test('is not offered for a rewind that changed nothing', () => {
    const nothing = message(1, { type: 'rewind', report: report({ rewind: null }) });
    expect(undoableRewind(viewAfter([{ type: 'message-added', message: nothing }]))).toBeNull();
  });
});
