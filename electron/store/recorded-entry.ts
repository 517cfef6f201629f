/** One turn or rewind while it is recorded: what the write funnel sees of the store. */

import { AppError } from '../../shared/errors.ts';
import type { FileState } from '../../shared/file-state.ts';
import type { NotCovered } from '../../shared/history.ts';
import type { RelPath, Sha256, TurnNumber } from '../../shared/ids.ts';
import type { Clock } from '../base/clock.ts';
import type { Blobs } from './blobs.ts';
import type { Captures } from './captures.ts';
import type { Db } from './db.ts';
import type { Entries } from './entries.ts';
import type { CaptureRow, OpenEntry } from './types.ts';

export interface EntryParts {
  readonly db: Db;
  readonly blobs: Blobs;
  readonly captures: Captures;
  readonly entries: Entries;
  readonly clock: Clock;
}

export class RecordedEntry implements OpenEntry {
  readonly turn: TurnNumber;
  readonly maxFileBytes: number | null;
  readonly #parts: EntryParts;
  /** What a path was like in this entry before the change that is under way; null: the change is its first. */
  readonly #before = new Map<RelPath, CaptureRow | null>();

  constructor(turn: TurnNumber, maxFileBytes: number | null, parts: EntryParts) {
    this.turn = turn;
    this.maxFileBytes = maxFileBytes;
    this.#parts = parts;
  }

  hasCapture(path: RelPath): boolean {
    return this.#parts.captures.has(this.turn, path);
  }

  async putBlob(bytes: Uint8Array): Promise<Sha256> {
    return (await this.#parts.blobs.put(bytes)).sha256;
  }

  putBlobFrom(source: AsyncIterable<Uint8Array>): Promise<{ sha256: Sha256; bytes: number }> {
    return this.#parts.blobs.putFrom(source);
  }

  async intend(path: RelPath, pre: FileState, intent: FileState, temp: string | null): Promise<void> {
    const { db, captures, clock } = this.#parts;
    db.transaction('recording a change', () => {
      const present = captures.one(this.turn, path);
      this.#before.set(path, present);
      if (present !== null) {
        captures.setIntent(this.turn, path, intent, temp);
        return;
      }
      this.#name(pre);
      captures.insert({
        turn: this.turn,
        path,
        pre,
        intent,
        post: null,
        marks: [],
        temp,
        atMs: clock.nowMs(),
      });
    });
  }

  async applied(path: RelPath, post: FileState, marks: readonly string[] = []): Promise<void> {
    const { db, captures } = this.#parts;
    // Recovery finds the after-state on the disk: this commit need not be waited for.
    db.transaction(
      'recording a change',
      () => {
        const present = captures.one(this.turn, path);
        if (present === null) throw notIntended(path);
        captures.setPost(this.turn, path, post, merged(present.marks, marks), false);
      },
      'later',
    );
    this.#before.delete(path);
  }

  async abandoned(path: RelPath): Promise<void> {
    const { db, captures } = this.#parts;
    const before = this.#before.get(path);
    if (before === undefined) return;
    db.transaction('recording a change', () => {
      if (before === null) captures.remove(this.turn, path);
      else if (before.post !== null)
        captures.setPost(this.turn, path, before.post, before.marks, before.recovered);
    });
    this.#before.delete(path);
  }

  observed(
    changes: readonly { path: RelPath; pre: FileState; post: FileState; marks?: readonly string[] }[],
  ): void {
    const { db, captures, clock } = this.#parts;
    db.transaction('recording changes', () => {
      for (const { path, pre, post, marks = [] } of changes) {
        const present = captures.one(this.turn, path);
        if (present !== null) {
          captures.setPost(this.turn, path, post, merged(present.marks, marks), present.recovered);
          continue;
        }
        this.#name(pre);
        captures.insert({
          turn: this.turn,
          path,
          pre,
          intent: null,
          post,
          marks,
          temp: null,
          atMs: clock.nowMs(),
        });
      }
    });
  }

  addNotCovered(items: readonly NotCovered[]): void {
    const { db, entries } = this.#parts;
    const keyOf = ({ path, reason }: NotCovered): string => `${path}\0${reason}`;
    db.transaction('recording what is not covered', () => {
      const all = [...(entries.one(this.turn)?.notCovered ?? []), ...items];
      entries.setNotCovered(this.turn, [...new Map(all.map((item) => [keyOf(item), item])).values()]);
    });
  }

  addNotes(notes: readonly string[]): void {
    const { db, entries } = this.#parts;
    db.transaction('recording a note', () => {
      entries.setNotes(this.turn, merged(entries.one(this.turn)?.notes ?? [], notes));
    });
  }

  captures(): CaptureRow[] {
    return this.#parts.captures.of(this.turn);
  }

  /** I1: a row names only content that is whole on disk. */
  #name(pre: FileState): void {
    if (pre.kind === 'content') this.#parts.blobs.name(pre.sha256);
  }
}

const merged = (present: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...present, ...more]),
];

const notIntended = (path: RelPath): AppError =>
  new AppError('internal', `A change of ${path} was reported that had not been announced.`, { path });
