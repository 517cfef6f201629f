/** Small examples of what the main process sends. */

import type { EntrySummary } from '../../shared/history.ts';
import { asMessageId, asPlanId, asSha256, asTurnNumber } from '../../shared/ids.ts';
import type { Plan, PlanItem, RewindReport } from '../../shared/rewind.ts';
import type { ChatItem, ChatMessage } from '../../shared/transcript.ts';

const content = (letter: string) => ({
  kind: 'content' as const,
  sha256: asSha256(letter.repeat(64)),
  bytes: 10,
  mode: 0o644,
});

export function entry(turn: number, more: Partial<EntrySummary> = {}): EntrySummary {
  return {
    turn: asTurnNumber(turn),
    kind: 'agent',
    label: `Prompt of ${turn}`,
    atMs: Date.now() - 60_000,
    status: 'kept',
    outcome: 'done',
    agent: 'practice',
    target: null,
    captures: [
      {
        path: `file-${turn}.txt`,
        pre: content('a'),
        post: content('b'),
        change: 'modified',
        lines: { added: 2, removed: 1 },
        inForce: true,
        marks: [],
      },
    ],
    notCovered: [],
    notes: [],
    ...more,
  };
}

export function message(id: number, item: ChatItem, turn: number | null = 1): ChatMessage {
  return {
    id: asMessageId(id),
    parentId: null,
    turn: turn === null ? null : asTurnNumber(turn),
    atMs: Date.now(),
    item,
  };
}

export function planItem(path: string, more: Partial<PlanItem> = {}): PlanItem {
  return {
    path,
    verdict: 'apply',
    action: 'write',
    wanted: content('a'),
    expected: content('b'),
    present: content('b'),
    marks: [],
    ...more,
  };
}

export function plan(turn: number, items: readonly PlanItem[], more: Partial<Plan> = {}): Plan {
  return {
    planId: asPlanId('f'.repeat(64)),
    turn: asTurnNumber(turn),
    kind: 'rewind',
    undoes: [asTurnNumber(turn)],
    items,
    notCovered: [],
    notes: [],
    ...more,
  };
}

export function report(more: Partial<RewindReport> = {}): RewindReport {
  return {
    rewind: asTurnNumber(9),
    turn: asTurnNumber(1),
    kind: 'rewind',
    scope: 'files-and-chat',
    restored: [],
    deleted: [],
    kept: [],
    conflicts: [],
    failed: [],
    notDone: [],
    ...more,
  };
}
