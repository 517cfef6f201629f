/** What the callers of the rewind room pass in. */

import type { MessageId, PlanId, TurnNumber } from '../../shared/ids.ts';
import type { ConflictChoice, ConflictPolicy, RestoreScope } from '../../shared/rewind.ts';
import type { CheckpointStore } from '../store/types.ts';
import type { Workspace, WriteFunnel } from '../workspace/types.ts';

/** What is looked at. */
export interface Folder {
  readonly store: CheckpointStore;
  readonly workspace: Workspace;
}

/** What is changed, too. */
export interface ChangeableFolder extends Folder {
  readonly funnel: WriteFunnel;
}

/** Where to go back to: a Plan that was looked at, or, without a `planId`, whatever is true now. */
export interface PlanRef {
  readonly turn: TurnNumber;
  readonly paths?: readonly string[];
  readonly planId?: PlanId;
}

export interface Decisions {
  /** For conflicts without a choice of their own. */
  readonly conflicts: ConflictPolicy;
  readonly choices?: Readonly<Record<string, ConflictChoice>>;
}

/** Where the chat stands, and where it stands afterwards when the scope has the chat. */
export interface ChatMove {
  readonly before: MessageId | null;
  readonly after: MessageId | null;
}

export interface Watch {
  /** Stops between two files; what is done by then stays done and is recorded. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export type FilesScope = Exclude<RestoreScope, 'chat-only'>;
