/** The chat of a folder: a tree of messages (a chat rewind forks it) and the events of a running turn. */

import type { ErrorInfo } from './errors.ts';
import type { ChangeKind } from './file-state.ts';
import type { NotCovered, TurnOutcome } from './history.ts';
import type { MessageId, TurnNumber } from './ids.ts';
import type { RewindReport } from './rewind.ts';

export type ToolStatus = 'pending' | 'awaiting-approval' | 'running' | 'done' | 'failed' | 'cancelled';

export type ChatItem =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'assistant'; readonly text: string }
  | {
      readonly type: 'tool';
      readonly callId: string;
      readonly tool: string;
      /** One line for people: `write notes.md`, `npm test`. */
      readonly title: string;
      readonly input: unknown;
      readonly status: ToolStatus;
      readonly output?: string;
      readonly error?: ErrorInfo;
    }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | {
      readonly type: 'turn-end';
      readonly outcome: TurnOutcome;
      readonly files: readonly FileChange[];
      readonly notCovered: readonly NotCovered[];
    }
  | { readonly type: 'rewind'; readonly report: RewindReport };

export interface FileChange {
  readonly path: string;
  readonly change: ChangeKind;
}

export interface ChatMessage {
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  /** The history entry it belongs to; null for messages outside of any. */
  readonly turn: TurnNumber | null;
  readonly atMs: number;
  readonly item: ChatItem;
}

export type ApprovalChoice = 'allow-once' | 'allow-for-chat' | 'deny';

export interface ApprovalRequest {
  readonly approvalId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  /** The exact command, for commands. */
  readonly command?: string;
  /** Unified diff of an edit, shown before it is allowed. */
  readonly diff?: string;
  readonly path?: string;
}

/** `ask` asks before each write and command; `full` never asks; `read-only` refuses both. */
export type PermissionMode = 'ask' | 'full' | 'read-only';

/** What the main process tells a window while it works. Every change of state reaches the window through one of these. */
export type SessionEvent =
  | { readonly type: 'message-added'; readonly message: ChatMessage }
  | { readonly type: 'message-updated'; readonly message: ChatMessage }
  | { readonly type: 'text-delta'; readonly id: MessageId; readonly delta: string }
  | { readonly type: 'output-delta'; readonly id: MessageId; readonly delta: string }
  | { readonly type: 'turn-started'; readonly turn: TurnNumber }
  | { readonly type: 'turn-ended'; readonly turn: TurnNumber; readonly outcome: TurnOutcome }
  | { readonly type: 'approval-requested'; readonly request: ApprovalRequest }
  | { readonly type: 'approval-resolved'; readonly approvalId: string }
  | { readonly type: 'history-changed' }
  /** The conversation now ends elsewhere (chat rewind, redo): the window reloads it. `draft` goes to an empty composer. */
  | { readonly type: 'chat-moved'; readonly draft: string | null }
  | { readonly type: 'usage'; readonly usage: UsageSummary }
  | { readonly type: 'progress'; readonly progress: Progress };

export interface UsageSummary {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens of the newest request, and the model's window, for the context meter; null when unknown. */
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  readonly costUsd: number | null;
}

/** Long work. Shown as a progressbar once it takes over half a second; `finished` removes it. */
export interface Progress {
  readonly id: string;
  /** "Reading the folder", "Going back". */
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
  readonly finished: boolean;
  readonly stoppable: boolean;
}
