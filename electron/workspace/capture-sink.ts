/** Where the write funnel reports before-states and after-states; the store's entries implement it. */

import type { FileState } from '../../shared/file-state.ts';
import type { RelPath, Sha256 } from '../../shared/ids.ts';

export interface CaptureSink {
  /** Files over this many bytes are recorded as skipped; null holds any size (rewinds: what they replace is never lost). */
  readonly maxFileBytes: number | null;

  /** Whether this entry already holds the before-state of the path, so that its bytes need not be read again. */
  hasCapture(path: RelPath): boolean;

  /** Puts bytes into the blob store, durably; resolves once the blob is whole on disk. Same bytes, same blob. */
  putBlob(bytes: Uint8Array): Promise<Sha256>;

  /** Streams a file of any size into the blob store, durably. The handle is read from its start and left open. */
  putBlobFrom(source: AsyncIterable<Uint8Array>): Promise<{ sha256: Sha256; bytes: number }>;

  /**
   * Commits the before-state (first capture of the path in this entry wins) together with what is about to be written.
   * When this resolves a crash is recoverable. `temp` is the name of the temporary file beside the target, removed by recovery.
   */
  intend(path: RelPath, pre: FileState, intent: FileState, temp: string | null): Promise<void>;

  /** Commits what the path holds now that the change is applied. */
  applied(path: RelPath, post: FileState, marks?: readonly string[]): Promise<void>;

  /** Commits that the intended change did not happen; the path is as it was before. */
  abandoned(path: RelPath): Promise<void>;
}
