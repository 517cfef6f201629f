/** A CaptureSink that holds everything in memory and writes down the order of the calls. */

import { sha256Of } from '../../electron/base/hash.ts';
import type { CaptureSink } from '../../electron/workspace/index.ts';
import { DEFAULT_MAX_FILE_BYTES, type FileState } from '../../shared/file-state.ts';
import type { RelPath, Sha256 } from '../../shared/ids.ts';

export interface MemoryCapture {
  readonly pre: FileState;
  readonly intent: FileState;
  /** null while the change is open. */
  readonly post: FileState | null;
  readonly marks: readonly string[];
  readonly temp: string | null;
}

export class MemorySink implements CaptureSink {
  readonly maxFileBytes: number | null;
  /** `blob`, `intend PATH`, `applied PATH`, `abandoned PATH`; tests add calls of the file system. */
  readonly log: string[] = [];
  readonly blobs = new Map<Sha256, Buffer>();
  readonly captures = new Map<string, MemoryCapture>();
  /** Hears each call before it is done; what it throws fails the call. */
  onCall: (call: string) => void = () => undefined;
  readonly #before = new Map<string, MemoryCapture | null>();

  constructor(maxFileBytes: number | null = DEFAULT_MAX_FILE_BYTES) {
    this.maxFileBytes = maxFileBytes;
  }

  hasCapture(path: RelPath): boolean {
    return this.captures.has(path);
  }

  async putBlob(bytes: Uint8Array): Promise<Sha256> {
    const sha256 = sha256Of(bytes);
    this.#called('blob');
    this.blobs.set(sha256, Buffer.from(bytes));
    return sha256;
  }

  async putBlobFrom(source: AsyncIterable<Uint8Array>): Promise<{ sha256: Sha256; bytes: number }> {
    const pieces: Uint8Array[] = [];
    for await (const piece of source) pieces.push(piece);
    const whole = Buffer.concat(pieces);
    return { sha256: await this.putBlob(whole), bytes: whole.length };
  }

  async intend(path: RelPath, pre: FileState, intent: FileState, temp: string | null): Promise<void> {
    this.#called(`intend ${path}`);
    const present = this.captures.get(path) ?? null;
    // As in the store (I1): a row names only content that is held.
    if (present === null && pre.kind === 'content' && !this.blobs.has(pre.sha256)) {
      throw new Error(`The content of ${path} is not held.`);
    }
    this.#before.set(path, present);
    this.captures.set(path, {
      pre: present?.pre ?? pre,
      intent,
      post: null,
      marks: present?.marks ?? [],
      temp,
    });
  }

  async applied(path: RelPath, post: FileState, marks: readonly string[] = []): Promise<void> {
    this.#called(`applied ${path}`);
    const present = this.captures.get(path);
    if (present === undefined) throw new Error(`${path} was never announced.`);
    this.captures.set(path, { ...present, post, marks: [...present.marks, ...marks], temp: null });
    this.#before.delete(path);
  }

  async abandoned(path: RelPath): Promise<void> {
    this.#called(`abandoned ${path}`);
    const before = this.#before.get(path);
    if (before === null) this.captures.delete(path);
    else if (before !== undefined) this.captures.set(path, before);
    this.#before.delete(path);
  }

  #called(call: string): void {
    this.log.push(call);
    this.onCall(call);
  }

  /** Paths of changes that were announced and neither applied nor abandoned. */
  open(): string[] {
    return [...this.captures].filter(([, { post }]) => post === null).map(([path]) => path);
  }
}
