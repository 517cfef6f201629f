/**
 * Which contents are whole, so that a row may name them (I1). A file without a row in the index is never trusted: it is written
 * again. What is put is whole once the call resolves; with `isDurable` it then survives a power loss too.
 */

import { AppError } from '../../shared/errors.ts';
import type { Sha256 } from '../../shared/ids.ts';
import { sha256Of } from '../base/hash.ts';
import { Mutex } from '../base/mutex.ts';
import {
  type BlobFiles,
  missing,
  type Source,
  type StoredContent,
  type WrittenContent,
} from './blob-files.ts';
import type { BlobRows } from './blob-rows.ts';
import type { BlobBatch } from './types.ts';

export interface BlobsOptions {
  readonly files: BlobFiles;
  readonly rows: BlobRows;
  readonly isDurable: boolean;
}

export class Blobs {
  readonly #options: BlobsOptions;
  /** Whole on disk since this process put them, with their sizes; a row comes with the first capture that names one. */
  readonly #whole = new Map<Sha256, number>();
  /** Put, and not named by a row yet: nobody may remove it meanwhile. */
  readonly #awaitingRow = new Set<Sha256>();
  /** Content comes and goes one at a time, so that it can't come back and go at the same moment. */
  readonly #oneByOne = new Mutex();

  constructor(options: BlobsOptions) {
    this.#options = options;
  }

  /** Whether a row may name the content. */
  isWhole(sha256: Sha256): boolean {
    return this.#whole.has(sha256) || this.#options.rows.has(sha256);
  }

  /** Inside of a transaction that commits a row which names the content. Throws blob-missing when it is not whole. */
  name(sha256: Sha256): void {
    const { rows } = this.#options;
    this.#awaitingRow.delete(sha256);
    const bytes = this.#whole.get(sha256);
    if (bytes !== undefined) rows.add(sha256, bytes);
    else if (!rows.has(sha256)) throw missing(sha256);
  }

  async put(bytes: Uint8Array): Promise<StoredContent> {
    const content = { sha256: sha256Of(bytes), bytes: bytes.length };
    if (await this.#oneByOne.run(() => this.#isKept(content))) return content;
    return this.putFrom([bytes]);
  }

  /** Any size. Throws disk-full or io-failed, and leaves nothing behind. */
  async putFrom(source: Source): Promise<StoredContent> {
    const { files, isDurable } = this.#options;
    const written = await files.write(source, isDurable);
    return this.#oneByOne.run(async () => {
      if (!(await this.#isKept(written))) {
        await files.moveIn(written);
        if (isDurable) await files.syncFolder();
        this.#keep(written);
      } else await files.discard(written);
      return contentOf(written);
    });
  }

  batch(): BlobBatch {
    const { files, isDurable } = this.#options;
    /** In place, and whole once synced. */
    const placed = new Map<Sha256, number>();
    const place = async (source: Source): Promise<StoredContent> => {
      const written = await files.write(source, false);
      return this.#oneByOne.run(async () => {
        if (placed.has(written.sha256) || (await this.#isKept(written))) await files.discard(written);
        else {
          await files.moveIn(written);
          this.#awaitingRow.add(written.sha256);
          placed.set(written.sha256, written.bytes);
        }
        return contentOf(written);
      });
    };
    return {
      put: async (bytes) => {
        const content = { sha256: sha256Of(bytes), bytes: bytes.length };
        const isHere = placed.has(content.sha256) || (await this.#oneByOne.run(() => this.#isKept(content)));
        return isHere ? content.sha256 : (await place([bytes])).sha256;
      },
      putFrom: place,
      adopt: (sha256, bytes) => {
        this.#awaitingRow.add(sha256);
        if (!this.#whole.has(sha256)) placed.set(sha256, bytes);
      },
      sync: async () => {
        const ready = [...placed];
        if (ready.length === 0) return;
        if (isDurable) await files.syncAll(ready.map(([sha256]) => sha256));
        for (const [sha256, bytes] of ready) {
          this.#keep({ sha256, bytes });
          placed.delete(sha256);
        }
      },
    };
  }

  /** Throws blob-missing, or blob-damaged with the hash that was found. */
  async read(sha256: Sha256): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#options.files.chunks(sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async check(sha256: Sha256): Promise<'ok' | 'missing' | 'damaged'> {
    try {
      for await (const _chunk of this.#options.files.chunks(sha256)) {
        // Reading to the end is the check.
      }
      return 'ok';
    } catch (error) {
      if (error instanceof AppError && error.code === 'blob-missing') return 'missing';
      if (error instanceof AppError && error.code === 'blob-damaged') return 'damaged';
      throw error;
    }
  }

  /** Removes contents that no row names and none is about to name. */
  async remove(
    contents: readonly Sha256[],
    onRemoved: (sha256: Sha256) => void = () => undefined,
  ): Promise<void> {
    for (const sha256 of contents) {
      await this.#oneByOne.run(async () => {
        if (this.#options.rows.has(sha256) || this.#awaitingRow.has(sha256)) return;
        this.#whole.delete(sha256);
        if (await this.#options.files.remove(sha256)) onRemoved(sha256);
      });
    }
  }

  /**
   * Whether the content need not be written again. Bytes in hand are the moment to notice that a row's file is gone or cut short: then
   * it is written again, and old turns have it back too.
   */
  async #isKept(content: StoredContent): Promise<boolean> {
    if (!this.isWhole(content.sha256) || !(await this.#options.files.isThere(content))) return false;
    this.#keep(content);
    return true;
  }

  #keep({ sha256, bytes }: StoredContent): void {
    this.#whole.set(sha256, bytes);
    this.#awaitingRow.add(sha256);
  }
}

const contentOf = ({ sha256, bytes }: WrittenContent): StoredContent => ({ sha256, bytes });
