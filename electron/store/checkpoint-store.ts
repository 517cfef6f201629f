/** The store behind its door: each method is one commit, or one question to the index. */

import type { FileState } from '../../shared/file-state.ts';
import {
  labelOf,
  type PrunePolicy,
  type PruneReport,
  type StoreStats,
  type TurnOutcome,
  type VerifyReport,
} from '../../shared/history.ts';
import type { MessageId, RelPath, Sha256, TurnNumber } from '../../shared/ids.ts';
import type { ChatItem, ChatMessage, Progress } from '../../shared/transcript.ts';
import { Baseline } from './baseline.ts';
import { Captures } from './captures.ts';
import { type CareParts, prune, stats, verify } from './care.ts';
import { Entries, type NewEntry } from './entries.ts';
import { contentsNamedIn, otherIndexes } from './other-indexes.ts';
import { type EntryParts, RecordedEntry } from './recorded-entry.ts';
import { type FinishedRewind, finishRewind } from './rewinds.ts';
import { Transcript } from './transcript.ts';
import type {
  BaselineChanges,
  BaselineRow,
  BlobBatch,
  CaptureRow,
  CheckpointStore,
  EntryRow,
  OpenEntry,
} from './types.ts';

export interface StoreParts extends CareParts, Omit<EntryParts, 'captures' | 'entries'> {
  readonly root: string;
  readonly storeId: string;
  readonly maxFileBytes: number;
  readonly recovered: readonly string[];
  readonly onClose: () => void;
}

export class SqliteCheckpointStore implements CheckpointStore {
  readonly root: string;
  readonly storeId: string;
  readonly maxFileBytes: number;
  readonly recovered: readonly string[];
  readonly #parts: StoreParts & EntryParts;
  readonly #baseline: Baseline;
  readonly #transcript: Transcript;

  constructor(parts: StoreParts) {
    this.root = parts.root;
    this.storeId = parts.storeId;
    this.maxFileBytes = parts.maxFileBytes;
    this.recovered = parts.recovered;
    this.#parts = { ...parts, captures: new Captures(parts.db), entries: new Entries(parts.db) };
    this.#baseline = new Baseline(parts.db);
    this.#transcript = new Transcript(parts.db);
  }

  get access(): 'write' | 'read' {
    return this.#parts.db.isReadOnly ? 'read' : 'write';
  }

  close(): void {
    try {
      this.#parts.db.close();
    } finally {
      this.#parts.onClose();
    }
  }

  beginTurn(turn: { label: string; agent: string; chatHead: MessageId | null }): OpenEntry {
    return this.#begin(
      {
        kind: 'agent',
        label: labelOf(turn.label),
        agent: turn.agent,
        target: null,
        redoOf: null,
        scope: null,
        chatHeadBefore: turn.chatHead,
        chatHeadAfter: null,
      },
      this.maxFileBytes,
    );
  }

  resumeTurn(turn: TurnNumber): OpenEntry {
    return new RecordedEntry(turn, this.maxFileBytes, this.#parts);
  }

  finishTurn(turn: TurnNumber, outcome: TurnOutcome): void {
    this.#commit('ending a turn', () => this.#parts.entries.setOutcome(turn, outcome));
  }

  entries(options: { limit?: number; before?: TurnNumber } = {}): EntryRow[] {
    return this.#parts.entries.list(options.limit, options.before);
  }

  entry(turn: TurnNumber): EntryRow | null {
    return this.#parts.entries.one(turn);
  }

  captures(turn: TurnNumber): CaptureRow[] {
    return this.#parts.captures.of(turn);
  }

  capture(turn: TurnNumber, path: RelPath): CaptureRow | null {
    return this.#parts.captures.one(turn, path);
  }

  capturesInForce(from: TurnNumber, paths?: readonly RelPath[]): CaptureRow[] {
    return this.#parts.captures.inForce(from, paths);
  }

  previousCapture(path: RelPath, before: TurnNumber): CaptureRow | null {
    return this.#parts.captures.previous(path, before);
  }

  lastKeptTurn(): TurnNumber | null {
    return this.#parts.entries.lastKeptTurn();
  }

  redoable(): EntryRow | null {
    return this.#parts.entries.redoable();
  }

  beginRewind(rewind: Omit<NewEntry, 'kind' | 'agent' | 'atMs'>): OpenEntry {
    // No size limit: what a rewind replaces is never lost.
    return this.#begin({ ...rewind, kind: 'rewind', agent: null }, null);
  }

  finishRewind(rewind: TurnNumber, done: FinishedRewind): void {
    const parts = { ...this.#parts, transcript: this.#transcript };
    this.#commit('ending a rewind', () => finishRewind(parts, rewind, done));
  }

  pendingCaptures(): CaptureRow[] {
    return this.#parts.captures.pending();
  }

  settleCapture(turn: TurnNumber, path: RelPath, post: FileState): void {
    const { captures } = this.#parts;
    this.#commit('settling a change', () => {
      captures.setPost(turn, path, post, captures.one(turn, path)?.marks ?? [], true);
    });
  }

  hasBlob(sha256: Sha256): boolean {
    return this.#parts.blobs.isWhole(sha256);
  }

  readBlob(sha256: Sha256): Promise<Uint8Array> {
    return this.#parts.blobs.read(sha256);
  }

  checkBlob(sha256: Sha256): Promise<'ok' | 'missing' | 'damaged'> {
    return this.#parts.blobs.check(sha256);
  }

  async putBlob(bytes: Uint8Array): Promise<Sha256> {
    return (await this.#parts.blobs.put(bytes)).sha256;
  }

  blobBatch(): BlobBatch {
    return this.#parts.blobs.batch();
  }

  baseline(): Iterable<BaselineRow> {
    return this.#baseline.all();
  }

  baselineRow(path: RelPath): BaselineRow | null {
    return this.#baseline.one(path);
  }

  updateBaseline(changes: BaselineChanges): Sha256[] {
    const { db, blobs } = this.#parts;
    // Rows that a power loss takes are found again by the next scan; a step begins with a commit that makes them durable.
    return db.bulkTransaction('updating the baseline', () => this.#baseline.update(changes, blobs));
  }

  baselineSettled(): Promise<void> {
    return this.#parts.db.logShortened();
  }

  async dropUnnamed(contents: readonly Sha256[]): Promise<void> {
    const { fs, paths, blobs, blobRows } = this.#parts;
    if (blobRows.unnamedOf(contents).length === 0) return;
    const namedElsewhere = await contentsNamedIn(fs, await otherIndexes(fs, paths));
    const unnamed = blobRows.unnamedOf(contents).filter((sha256) => !namedElsewhere.has(sha256));
    this.#commit('dropping contents', () => blobRows.removeAll(unnamed));
    await blobs.remove(unnamed);
  }

  chatHead(): MessageId | null {
    return this.#transcript.head();
  }

  setChatHead(head: MessageId | null): void {
    this.#commit('moving the chat', () => this.#transcript.setHead(head));
  }

  appendMessage(turn: TurnNumber | null, item: ChatItem): ChatMessage {
    return this.#parts.db.transaction(
      'keeping the chat',
      () => this.#transcript.append(turn, item, this.#parts.clock.nowMs()),
      'later',
    );
  }

  updateMessage(id: MessageId, item: ChatItem): ChatMessage {
    return this.#parts.db.transaction('keeping the chat', () => this.#transcript.update(id, item), 'later');
  }

  branch(head: MessageId | null = this.chatHead()): ChatMessage[] {
    return this.#transcript.branch(head);
  }

  branchEnds(): ChatMessage[] {
    return this.#transcript.ends();
  }

  getMeta(key: string): string | null {
    const value = this.#parts.db.get('SELECT value FROM meta WHERE key = ?', key)?.[0];
    return typeof value === 'string' ? value : null;
  }

  setMeta(key: string, value: string): void {
    this.#commit('keeping a value', () =>
      this.#parts.db.run(
        'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      ),
    );
  }

  verify(onProgress?: (progress: Progress) => void, signal?: AbortSignal): Promise<VerifyReport> {
    return verify(this.#parts, onProgress, signal);
  }

  prune(
    policy: PrunePolicy,
    onProgress?: (progress: Progress) => void,
    signal?: AbortSignal,
  ): Promise<PruneReport> {
    return prune(this.#parts, policy, onProgress, signal);
  }

  stats(): StoreStats {
    return stats(this.#parts);
  }

  #begin(entry: Omit<NewEntry, 'atMs'>, maxFileBytes: number | null): OpenEntry {
    const { entries, clock } = this.#parts;
    const turn = this.#commit('beginning a turn', () => entries.insert({ ...entry, atMs: clock.nowMs() }));
    return new RecordedEntry(turn, maxFileBytes, this.#parts);
  }

  #commit<T>(doing: string, work: () => T): T {
    return this.#parts.db.transaction(doing, work);
  }
}
