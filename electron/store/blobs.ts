/**
 * Immutable content under its SHA-256. What is put is whole once the call resolves: written to a temporary file, synced, renamed,
 * and the directory synced (I1, I3). A file without a row in the index is never trusted: it is written again.
 */

import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { asSha256, isSha256, type Sha256 } from '../../shared/ids.ts';
import { syncDirectory } from '../base/durable-files.ts';
import type { FileSystem } from '../base/file-system.ts';
import { sha256Of } from '../base/hash.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import { Mutex } from '../base/mutex.ts';
import type { BlobRows } from './blob-rows.ts';
import type { BlobBatch } from './types.ts';

const BLOB_MODE = 0o600;
const CHUNK_BYTES = 1024 * 1024;
/** Syncing the whole file system waits for everything that anybody wrote to it: not worth it for a few files. */
const SYNCED_ONE_BY_ONE = 32;
/** A planted link must not make us read a file elsewhere; a FIFO must not make us wait. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface StoredContent {
  readonly sha256: Sha256;
  readonly bytes: number;
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface BlobsOptions {
  readonly folder: string;
  /** On the same file system as the folder. */
  readonly temporaryFolder: string;
  readonly fs: FileSystem;
  readonly rows: BlobRows;
  readonly isDurable: boolean;
}

export class Blobs {
  readonly #options: BlobsOptions;
  /** Whole on disk since this process put them, with their sizes; a row comes with the first capture that names one. */
  readonly #whole = new Map<Sha256, number>();
  /** Put, and not named by a row yet: nobody may remove it meanwhile. */
  readonly #awaitingRow = new Set<Sha256>();
  readonly #removal = new Mutex();

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
    if (rows.has(sha256)) return;
    const bytes = this.#whole.get(sha256);
    if (bytes === undefined) throw missing(sha256);
    rows.add(sha256, bytes);
  }

  async put(bytes: Uint8Array): Promise<StoredContent> {
    const sha256 = sha256Of(bytes);
    if (!this.isWhole(sha256)) return this.putFrom([bytes]);
    this.#whole.set(sha256, bytes.length);
    this.#awaitingRow.add(sha256);
    return { sha256, bytes: bytes.length };
  }

  /** Any size. Throws disk-full or io-failed, and leaves nothing behind. */
  async putFrom(source: Source): Promise<StoredContent> {
    const { fs, folder, isDurable } = this.#options;
    const content = await this.#place(source, isDurable);
    if (content.isNew && isDurable) await failing(() => syncDirectory(fs, folder));
    this.#whole.set(content.sha256, content.bytes);
    this.#awaitingRow.add(content.sha256);
    return { sha256: content.sha256, bytes: content.bytes };
  }

  batch(): BlobBatch {
    const placed = new Map<Sha256, number>();
    const place = async (source: Source): Promise<StoredContent> => {
      const { sha256, bytes } = await this.#place(source, false);
      placed.set(sha256, bytes);
      return { sha256, bytes };
    };
    return {
      put: async (bytes) => {
        const sha256 = sha256Of(bytes);
        if (!this.isWhole(sha256) && !placed.has(sha256)) await place([bytes]);
        return sha256;
      },
      putFrom: place,
      adopt: (sha256, bytes) => {
        if (!this.isWhole(sha256)) placed.set(sha256, bytes);
      },
      sync: async () => {
        const ready = [...placed];
        if (ready.length === 0) return;
        if (this.#options.isDurable) await failing(() => this.#syncAll(ready.map(([sha256]) => sha256)));
        for (const [sha256, bytes] of ready) {
          this.#whole.set(sha256, bytes);
          placed.delete(sha256);
        }
      },
    };
  }

  /** Throws blob-missing, or blob-damaged with the hash that was found. */
  async read(sha256: Sha256): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#chunksOf(sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async check(sha256: Sha256): Promise<'ok' | 'missing' | 'damaged'> {
    try {
      for await (const _chunk of this.#chunksOf(sha256)) {
        // Reading to the end is the check.
      }
      return 'ok';
    } catch (error) {
      if (error instanceof AppError && error.code === 'blob-missing') return 'missing';
      if (error instanceof AppError && error.code === 'blob-damaged') return 'damaged';
      throw error;
    }
  }

  /** All contents on disk; other files in the folder are not ours and are left alone. */
  async onDisk(): Promise<Sha256[]> {
    const { fs, folder } = this.#options;
    try {
      return (await fs.readdir(folder)).filter(isSha256);
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
      throw toIoError(error, 'listing the history');
    }
  }

  async sizeOf(sha256: Sha256): Promise<number> {
    return Number((await this.#options.fs.lstat(this.#pathOf(sha256))).size);
  }

  /**
   * Removes contents that no row names. What is put meanwhile waits, so that a content can't come back and go at the same
   * time.
   */
  async remove(
    contents: readonly Sha256[],
    onRemoved: (sha256: Sha256) => void = () => undefined,
  ): Promise<void> {
    await this.#removal.run(async () => {
      for (const sha256 of contents) {
        if (this.#options.rows.has(sha256) || this.#awaitingRow.has(sha256)) continue;
        this.#whole.delete(sha256);
        await this.#unlink(sha256);
        onRemoved(sha256);
      }
    });
  }

  async removeTemporaryFiles(): Promise<void> {
    const { fs, temporaryFolder } = this.#options;
    for (const name of await fs.readdir(temporaryFolder)) await fs.unlink(join(temporaryFolder, name));
  }

  async #unlink(sha256: Sha256): Promise<void> {
    try {
      await this.#options.fs.unlink(this.#pathOf(sha256));
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw toIoError(error, 'removing content from the history');
    }
  }

  #pathOf(sha256: Sha256): string {
    return join(this.#options.folder, sha256);
  }

  async #place(source: Source, sync: boolean): Promise<StoredContent & { readonly isNew: boolean }> {
    const { fs, temporaryFolder } = this.#options;
    const temporary = join(temporaryFolder, randomBytes(12).toString('hex'));
    await this.#removal.run(() => Promise.resolve());
    return failing(async () => {
      try {
        const content = await this.#write(temporary, source, sync);
        const isNew = !this.isWhole(content.sha256);
        if (isNew) await fs.rename(temporary, this.#pathOf(content.sha256));
        else await fs.unlink(temporary);
        return { ...content, isNew };
      } catch (error) {
        await fs.unlink(temporary).catch(() => undefined);
        throw error;
      }
    });
  }

  async #write(path: string, source: Source, sync: boolean): Promise<StoredContent> {
    const hash = createHash('sha256');
    let bytes = 0;
    const handle = await this.#options.fs.open(path, 'wx', BLOB_MODE);
    try {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        await handle.writeFile(chunk);
      }
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    return { sha256: asSha256(hash.digest('hex')), bytes };
  }

  async #syncAll(contents: readonly Sha256[]): Promise<void> {
    const { fs, folder } = this.#options;
    if (contents.length > SYNCED_ONE_BY_ONE && (await fs.syncFileSystem(folder))) return;
    for (let from = 0; from < contents.length; from += SYNCED_ONE_BY_ONE) {
      await Promise.all(
        contents.slice(from, from + SYNCED_ONE_BY_ONE).map((sha256) => this.#syncOne(sha256)),
      );
    }
    await syncDirectory(fs, folder);
  }

  async #syncOne(sha256: Sha256): Promise<void> {
    const handle = await this.#options.fs.open(this.#pathOf(sha256), 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async *#chunksOf(sha256: Sha256): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const handle = await this.#options.fs.open(this.#pathOf(sha256), READ_FLAGS).catch((error: unknown) => {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw missing(sha256);
      throw toIoError(error, 'reading the history');
    });
    try {
      for (;;) {
        const { bytesRead, buffer } = await handle.read(
          Buffer.allocUnsafe(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          null,
        );
        if (bytesRead === 0) break;
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw toIoError(error, 'reading the history');
    } finally {
      await handle.close();
    }
    const found = hash.digest('hex');
    if (found !== sha256) {
      throw new AppError(
        'blob-damaged',
        `Content in the history is damaged: expected ${sha256}, found ${found}.`,
      );
    }
  }
}

const missing = (sha256: Sha256): AppError =>
  new AppError('blob-missing', `The content ${sha256} is not in the history.`);

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toIoError(error, 'putting content into the history');
  }
}
