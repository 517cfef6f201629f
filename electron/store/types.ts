/** The public face of the store: what is recorded of a folder's turns, and how it is asked for. */

import type { FileState } from '../../shared/file-state.ts';
import type {
  EntryKind,
  EntryStatus,
  NotCovered,
  PrunePolicy,
  PruneReport,
  StoreStats,
  TurnOutcome,
  VerifyReport,
} from '../../shared/history.ts';
import type { MessageId, RelPath, Sha256, TurnNumber } from '../../shared/ids.ts';
import type { RestoreScope, RewindReport } from '../../shared/rewind.ts';
import type { ChatItem, ChatMessage, Progress } from '../../shared/transcript.ts';
import type { Clock } from '../base/clock.ts';
import type { FileSystem } from '../base/file-system.ts';

/** `full` (default): blobs and commits are synced before a file changes. `process`: only process crashes are covered. */
export type Durability = 'full' | 'process';

export interface OpenStoreOptions {
  /** Real, absolute path of the folder. */
  readonly root: string;
  /** `read`: takes no lock, changes nothing, never creates the store. */
  readonly access: 'write' | 'read';
  readonly maxFileBytes?: number;
  readonly durability?: Durability;
  readonly fs?: FileSystem;
  readonly clock?: Clock;
  /** Called right before every statement that changes the database and every commit; a throw stands for a failed call. */
  readonly onDatabaseCall?: (call: string) => void;
  /** Who holds the lock, in words for the next one ("the osFoundry Rewind window"). */
  readonly holder?: string;
  /** How long to wait for another holder, in ms. Default 2000. */
  readonly lockWaitMs?: number;
}

export interface EntryRow {
  readonly turn: TurnNumber;
  readonly kind: EntryKind;
  readonly label: string;
  readonly atMs: number;
  readonly status: EntryStatus;
  readonly outcome: TurnOutcome;
  readonly agent: string | null;
  /** Rewinds only: the turn right before which the folder was put, or (redo) the rewind that was undone. */
  readonly target: TurnNumber | null;
  readonly redoOf: TurnNumber | null;
  readonly scope: RestoreScope | null;
  readonly notCovered: readonly NotCovered[];
  readonly notes: readonly string[];
  /** Where the chat stood when the entry began, and (rewinds) where it went. */
  readonly chatHeadBefore: MessageId | null;
  readonly chatHeadAfter: MessageId | null;
  readonly report: RewindReport | null;
}

export interface CaptureRow {
  readonly turn: TurnNumber;
  readonly path: RelPath;
  readonly pre: FileState;
  /** What was about to be written; null when the change was seen only afterwards. */
  readonly intent: FileState | null;
  /** What the entry left; null while pending. */
  readonly post: FileState | null;
  /** The after-state was filled in from the disk by recovery (I7). */
  readonly recovered: boolean;
  /** The rewind entry that put this path back; null while in force. */
  readonly undoneBy: TurnNumber | null;
  readonly marks: readonly string[];
  readonly temp: string | null;
  readonly atMs: number;
}

/** One turn or rewind that is being recorded. It is the funnel's CaptureSink (electron/workspace/capture-sink.ts, same shape). */
export interface OpenEntry {
  readonly turn: TurnNumber;
  readonly maxFileBytes: number | null;
  hasCapture(path: RelPath): boolean;
  putBlob(bytes: Uint8Array): Promise<Sha256>;
  putBlobFrom(source: AsyncIterable<Uint8Array>): Promise<{ sha256: Sha256; bytes: number }>;
  intend(path: RelPath, pre: FileState, intent: FileState, temp: string | null): Promise<void>;
  applied(path: RelPath, post: FileState, marks?: readonly string[]): Promise<void>;
  abandoned(path: RelPath): Promise<void>;
  /** Records changes that were seen afterwards (a scan): pre and post at once, in one commit. First capture wins; post and marks are updated. */
  observed(
    changes: readonly { path: RelPath; pre: FileState; post: FileState; marks?: readonly string[] }[],
  ): void;
  addNotCovered(items: readonly NotCovered[]): void;
  addNotes(notes: readonly string[]): void;
  captures(): CaptureRow[];
}

export interface BaselineRow {
  readonly path: RelPath;
  readonly state: FileState;
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

export interface BaselineChanges {
  /** Of paths that have no row. */
  readonly add?: readonly BaselineRow[];
  readonly upsert: readonly BaselineRow[];
  readonly remove: readonly RelPath[];
}

/**
 * Many blobs with few syncs. What was put is whole, and may be named by a row, only once `sync` has resolved; a batch that is
 * dropped leaves nothing that counts. Calls may run at the same time; a batch can be used again after `sync`.
 */
export interface BlobBatch {
  put(bytes: Uint8Array): Promise<Sha256>;
  putFrom(source: AsyncIterable<Uint8Array>): Promise<{ sha256: Sha256; bytes: number }>;
  /** Takes over what another thread has put into the blobs' folder, whole and checked (base/content-file.ts). */
  adopt(sha256: Sha256, bytes: number): void;
  sync(): Promise<void>;
}

export interface CheckpointStore {
  readonly root: string;
  /** Random id made with the store: a folder that brings a store made elsewhere is told from it. */
  readonly storeId: string;
  readonly access: 'write' | 'read';
  readonly maxFileBytes: number;
  /** What opening had to repair, in words for people. */
  readonly recovered: readonly string[];
  close(): void;

  // Turns
  beginTurn(turn: { label: string; agent: string; chatHead: MessageId | null }): OpenEntry;
  /** The entry of a turn that a crash cut off in a step nobody could see into: what that did is recorded afterwards. */
  resumeTurn(turn: TurnNumber): OpenEntry;
  finishTurn(turn: TurnNumber, outcome: TurnOutcome): void;
  /** Newest first. */
  entries(options?: { limit?: number; before?: TurnNumber }): EntryRow[];
  entry(turn: TurnNumber): EntryRow | null;
  captures(turn: TurnNumber): CaptureRow[];
  capture(turn: TurnNumber, path: RelPath): CaptureRow | null;
  /** All captures of agent turns >= turn that are in force, oldest first, optionally of some paths (a directory names what is below). */
  capturesInForce(from: TurnNumber, paths?: readonly RelPath[]): CaptureRow[];
  /** Newest entry (of any kind) that touched the path, before the given one. */
  previousCapture(path: RelPath, before: TurnNumber): CaptureRow | null;
  lastKeptTurn(): TurnNumber | null;
  /** The newest rewind that can be undone: not undone, and no agent turn after it. */
  redoable(): EntryRow | null;

  // Rewinds
  beginRewind(rewind: {
    label: string;
    target: TurnNumber;
    redoOf: TurnNumber | null;
    scope: RestoreScope;
    chatHeadBefore: MessageId | null;
    chatHeadAfter: MessageId | null;
  }): OpenEntry;
  /**
   * In one commit: marks the captures of the given paths undone (or, for a redo, in force again), sets the statuses of the turns
   * and the rewind, keeps the report, moves the chat head when the scope has the chat.
   */
  finishRewind(
    rewind: TurnNumber,
    done: {
      outcome: TurnOutcome;
      /** Captures (turn, path) that are undone by this rewind; for a redo: that are in force again. */
      captures: readonly { turn: TurnNumber; path: RelPath }[];
      /** Turns whose status becomes rewound (redo: kept again). */
      turns: readonly TurnNumber[];
      report: RewindReport;
    },
  ): void;

  // Recovery
  /** Captures of any entry whose change was begun and neither applied nor abandoned (a crash, a failed commit), oldest first. */
  pendingCaptures(): CaptureRow[];
  /** Ends a pending capture with what the disk holds now, marked recovered (I7). */
  settleCapture(turn: TurnNumber, path: RelPath, post: FileState): void;

  // Blobs
  hasBlob(sha256: Sha256): boolean;
  /** Throws blob-missing or blob-damaged; the hash is checked. */
  readBlob(sha256: Sha256): Promise<Uint8Array>;
  /** Checks whole files without keeping them in memory. */
  checkBlob(sha256: Sha256): Promise<'ok' | 'missing' | 'damaged'>;
  putBlob(bytes: Uint8Array): Promise<Sha256>;
  /** For thousands of blobs (a baseline). */
  blobBatch(): BlobBatch;

  // Baseline
  baseline(): Iterable<BaselineRow>;
  baselineRow(path: RelPath): BaselineRow | null;
  /** One commit. Returns the contents that the replaced rows named. */
  updateBaseline(changes: BaselineChanges): Sha256[];
  /** To be waited for between many updates in a row: what they wrote is brought in order without holding up anything. */
  baselineSettled(): Promise<void>;
  /** Removes those of the contents that no row names, from the index and then from the disk. Not beside a scan, which may count on them. */
  dropUnnamed(contents: readonly Sha256[]): Promise<void>;

  // Transcript
  chatHead(): MessageId | null;
  setChatHead(head: MessageId | null): void;
  /** Appends after the head and moves it. */
  appendMessage(turn: TurnNumber | null, item: ChatItem): ChatMessage;
  updateMessage(id: MessageId, item: ChatItem): ChatMessage;
  /** From the first message to the given one (default: the head), oldest first. */
  branch(head?: MessageId | null): ChatMessage[];
  /** The ends of all branches, newest first. */
  branchEnds(): ChatMessage[];

  // Settings of the folder that belong to its history (small values)
  getMeta(key: string): string | null;
  setMeta(key: string, value: string): void;

  // Care
  verify(onProgress?: (progress: Progress) => void, signal?: AbortSignal): Promise<VerifyReport>;
  prune(
    policy: PrunePolicy,
    onProgress?: (progress: Progress) => void,
    signal?: AbortSignal,
  ): Promise<PruneReport>;
  stats(): StoreStats;
}

export type OpenStore = (options: OpenStoreOptions) => Promise<CheckpointStore>;
