/** A rewind: what it would do (plan), what the person decided, and what it did (report). */

import type { FileState } from './file-state.ts';
import type { NotCovered } from './history.ts';
import type { PlanId, TurnNumber } from './ids.ts';

/**
 * `same` the disk already is as wanted. `apply` the disk is as the agent left it. `conflict` a person or another program
 * changed it since. `skipped` its content was never captured. `lost` its blob is missing or damaged.
 */
export type Verdict = 'same' | 'apply' | 'conflict' | 'skipped' | 'lost';
export type PlanAction = 'write' | 'delete' | 'none';

export interface PlanItem {
  readonly path: string;
  readonly verdict: Verdict;
  readonly action: PlanAction;
  readonly reason?: string;
  readonly wanted: FileState;
  /** What the newest undone turn left; null when unknown. */
  readonly expected: FileState | null;
  readonly present: FileState;
  /** Facts for the person, e.g. "you edited this between turn 3 and turn 5". */
  readonly marks: readonly string[];
}

export interface Plan {
  readonly planId: PlanId;
  /** The folder goes to right before this turn. For a redo: the rewind that is undone. */
  readonly turn: TurnNumber;
  readonly kind: 'rewind' | 'redo';
  /** Only these were asked for (a directory names what is below); missing: everything the turns did. */
  readonly paths?: readonly string[];
  /** The turns that would be undone, newest first. */
  readonly undoes: readonly TurnNumber[];
  readonly items: readonly PlanItem[];
  /** What the undone turns did outside of what is covered. */
  readonly notCovered: readonly NotCovered[];
  readonly notes: readonly string[];
}

export type RestoreScope = 'files-and-chat' | 'files-only' | 'chat-only';
export type ConflictPolicy = 'overwrite' | 'keep' | 'abort';
export type ConflictChoice = 'go-back' | 'keep-mine';

export interface FailedPath {
  readonly path: string;
  readonly reason: string;
}

export interface RewindReport {
  /** The number of the entry that records this operation; null when nothing was changed and nothing recorded (dry run). */
  readonly rewind: TurnNumber | null;
  readonly turn: TurnNumber;
  readonly kind: 'rewind' | 'redo';
  readonly scope: RestoreScope;
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Paths left as the person has them by choice. */
  readonly kept: readonly string[];
  /** Paths that were conflicts, whichever way they were decided. */
  readonly conflicts: readonly string[];
  readonly failed: readonly FailedPath[];
  /** Paths that were not reached because the operation stopped at a failure. */
  readonly notDone: readonly string[];
  /** The turns that this made `rewound` (redo: `kept` again). */
  readonly turns?: readonly TurnNumber[];
}
