/** What the conversation shows, and how each event changes it. Pure. */

import type { MessageId, TurnNumber } from '../../shared/ids.ts';
import type { SessionSnapshot } from '../../shared/session.ts';
import type {
  ApprovalRequest,
  ChatMessage,
  PermissionMode,
  Progress,
  SessionEvent,
  UsageSummary,
} from '../../shared/transcript.ts';

export interface SessionView {
  readonly messages: readonly ChatMessage[];
  /** Text that was streamed for a message since it was last sent whole, so that a token never copies the conversation. */
  readonly live: Readonly<Record<number, string>>;
  readonly approvals: readonly ApprovalRequest[];
  readonly progress: readonly Progress[];
  readonly running: TurnNumber | null;
  readonly redoable: boolean;
  readonly usage: UsageSummary | null;
  readonly readOnly: boolean;
  readonly recovered: readonly string[];
  readonly mode: PermissionMode;
  readonly hasOtherBranches: boolean;
}

export function viewOf(snapshot: SessionSnapshot): SessionView {
  const { entries: _, ...view } = snapshot;
  return { ...view, live: {} };
}

export function reduceSession(view: SessionView, event: SessionEvent): SessionView {
  switch (event.type) {
    case 'message-added':
    case 'message-updated':
      return withMessage(view, event.message);
    case 'text-delta':
    case 'output-delta':
      return { ...view, live: { ...view.live, [event.id]: (view.live[event.id] ?? '') + event.delta } };
    case 'turn-started':
      // New work ends the chance to undo a rewind.
      return { ...view, running: event.turn, redoable: false };
    case 'turn-ended':
      return view.running === event.turn ? { ...view, running: null, approvals: [] } : view;
    case 'approval-requested':
      return { ...view, approvals: [...view.approvals, event.request] };
    case 'approval-resolved':
      return {
        ...view,
        approvals: view.approvals.filter(({ approvalId }) => approvalId !== event.approvalId),
      };
    case 'usage':
      return { ...view, usage: event.usage };
    case 'progress': {
      const others = view.progress.filter(({ id }) => id !== event.progress.id);
      return { ...view, progress: event.progress.finished ? others : [...others, event.progress] };
    }
    case 'history-changed':
    case 'chat-moved':
      return view;
  }
}

function withMessage(view: SessionView, message: ChatMessage): SessionView {
  const { item } = message;
  const index = view.messages.findLastIndex(({ id }) => id === message.id);
  const messages = index === -1 ? [...view.messages, message] : view.messages.with(index, message);
  // A tool's status may change while its output is still streaming: only a message that brings its text replaces what came.
  const bringsText = item.type !== 'tool' || item.output !== undefined;
  const next = { ...view, messages, live: bringsText ? withoutLive(view.live, message.id) : view.live };
  if (index !== -1 || item.type !== 'rewind' || item.report.rewind === null) return next;
  return { ...next, redoable: item.report.kind === 'rewind' };
}

function withoutLive(live: SessionView['live'], id: MessageId): SessionView['live'] {
  if (!(id in live)) return live;
  const { [id]: _, ...rest } = live;
  return rest;
}

/** The number of the rewind that "Undo rewind" would undo; null when there is none. */
export function undoableRewind(view: SessionView): TurnNumber | null {
  if (!view.redoable || view.running !== null) return null;
  for (let index = view.messages.length - 1; index >= 0; index--) {
    const item = view.messages[index]?.item;
    if (item?.type === 'rewind' && item.report.kind === 'rewind' && item.report.rewind !== null)
      return item.report.rewind;
  }
  return null;
}
