/** What a window needs to draw one open folder. */

import type { EntrySummary } from './history.ts';
import type { TurnNumber } from './ids.ts';
import type { ApprovalRequest, ChatMessage, PermissionMode, Progress, UsageSummary } from './transcript.ts';

export interface SessionSnapshot {
  readonly messages: readonly ChatMessage[];
  /** Newest first; the newest hundred. */
  readonly entries: readonly EntrySummary[];
  readonly running: TurnNumber | null;
  readonly approvals: readonly ApprovalRequest[];
  readonly progress: readonly Progress[];
  readonly redoable: boolean;
  readonly usage: UsageSummary | null;
  /** The folder can only be looked at: no write permission. */
  readonly readOnly: boolean;
  /** What opening had to repair, in words. */
  readonly recovered: readonly string[];
  readonly mode: PermissionMode;
  readonly hasOtherBranches: boolean;
}

export type TurnDiff =
  | {
      readonly path: string;
      readonly kind: 'text';
      readonly unified: string;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly path: string;
      readonly kind: 'binary';
      readonly beforeBytes: number | null;
      readonly afterBytes: number | null;
    }
  /** Too large, not held, or not a file: the reason in words. */
  | { readonly path: string; readonly kind: 'none'; readonly reason: string };
