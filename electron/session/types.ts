/** The public face of a session: one folder's chat, and every way to look at and go back in its history. */

import type { ErrorInfo } from '../../shared/errors.ts';
import type {
  EntrySummary,
  NotCovered,
  PrunePolicy,
  PruneReport,
  StoreStats,
  VerifyReport,
} from '../../shared/history.ts';
import type { MessageId, PlanId, TurnNumber } from '../../shared/ids.ts';
import type {
  ConflictChoice,
  ConflictPolicy,
  Plan,
  RestoreScope,
  RewindReport,
} from '../../shared/rewind.ts';
import type { SessionSnapshot, TurnDiff } from '../../shared/session.ts';
import type { Settings } from '../../shared/settings.ts';
import type {
  ApprovalChoice,
  ChatMessage,
  FileChange,
  PermissionMode,
  Progress,
  SessionEvent,
} from '../../shared/transcript.ts';
import type { Agent } from '../agent/ports.ts';

export interface OpenSessionOptions {
  readonly folder: string;
  /** `read` looks at the history without the lock; send, rewind and prune are refused. */
  readonly access: 'write' | 'read';
  readonly settings: Settings;
  /** Finds an agent by id; throws AppError agent-unavailable. */
  readonly agentOf: (id: string) => Agent;
  /** Who holds the lock, for the next one: "the osFoundry Rewind window". */
  readonly holder: string;
  /** Starts the background baseline (the window); the headless face waits for it only when a turn needs it. */
  readonly backgroundBaseline: boolean;
  /** Folders that may not be opened (the app's own). */
  readonly refusedFolders?: readonly string[];
}

export interface SendOptions {
  readonly agentId: string;
  readonly mode: PermissionMode;
}

export interface ToolCallSummary {
  readonly tool: string;
  readonly ok: boolean;
  readonly error?: ErrorInfo;
  readonly output?: string;
}

/** What a turn came to; the JSON of `chat`. */
export interface TurnResult {
  readonly turn: TurnNumber;
  readonly status: 'done' | 'failed' | 'stopped';
  readonly text: string;
  readonly toolCalls: readonly ToolCallSummary[];
  /** Net changes. A directory is listed only where nothing below it is. */
  readonly files: readonly FileChange[];
  readonly notCovered: readonly NotCovered[];
}

export interface RewindRequest {
  readonly turn: TurnNumber | 'last';
  readonly paths?: readonly string[];
  readonly scope: RestoreScope;
  /** Refused with plan-stale when it is no longer the plan. */
  readonly planId?: PlanId;
  /** For conflicts without a choice of their own. */
  readonly conflicts: ConflictPolicy;
  readonly choices?: Readonly<Record<string, ConflictChoice>>;
  readonly dryRun?: boolean;
}

export interface Session {
  readonly root: string;
  readonly storeId: string;
  snapshot(): SessionSnapshot;
  /** Returns the unsubscribe function. */
  subscribe(listener: (event: SessionEvent) => void): () => void;

  /** Resolves when the turn has ended. `started` is called with its number as soon as it is durable. Throws turn-running. */
  send(text: string, options: SendOptions, started?: (turn: TurnNumber) => void): Promise<TurnResult>;
  /** Stops the running turn; resolves when it has ended and everything it wrote is captured. */
  stop(): Promise<void>;
  answerApproval(approvalId: string, choice: ApprovalChoice): void;

  history(options?: { limit?: number; before?: TurnNumber }): EntrySummary[];
  turnDiff(turn: TurnNumber | 'last', path?: string): Promise<TurnDiff[]>;
  /** Old branches of the chat: the last message of each, newest first. */
  branches(): ChatMessage[];
  branch(head: MessageId): ChatMessage[];

  plan(turn: TurnNumber | 'last', paths?: readonly string[]): Promise<Plan>;
  planRedo(): Promise<Plan>;
  /** What going back would do to one path: from the present bytes to the wanted ones. */
  previewItem(turn: TurnNumber, path: string): Promise<TurnDiff>;
  rewind(request: RewindRequest): Promise<RewindReport>;
  redo(request?: {
    conflicts?: ConflictPolicy;
    planId?: PlanId;
    choices?: Readonly<Record<string, ConflictChoice>>;
  }): Promise<RewindReport>;

  verify(): Promise<VerifyReport>;
  prune(policy: PrunePolicy): Promise<PruneReport>;
  stats(): StoreStats;
  /** Removes the history of this folder for good ("Forget history"); files stay as they are. */
  forgetHistory(): Promise<void>;
  progress(): readonly Progress[];
  stopProgress(id: string): void;
  /** Stops the turn, ends agents, releases the lock. */
  close(): Promise<void>;
}
