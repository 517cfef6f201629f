/**
 * The files in `blobs/`: each is named by the SHA-256 of what it holds, comes into being as a whole (written beside the folder, then
 * renamed into it) and is never changed (I3). Which of them may be trusted is not decided here.
 */

import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { asSha256, isSha256, type Sha256 } from '../../shared/ids.ts';
import { syncDirectory } from '../base/durable-files.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';

const BLOB_MODE = 0o600;
const CHUNK_BYTES = 1024 * 1024;
/** Syncing the whole file system waits for everything that anybody wrote to it: not worth it for a few files. */
const SYNCED_ONE_BY_ONE = 32;
/** A planted link must not make us read a file elsewhere; a FIFO must not make us wait. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface StoredContent {
  readonly sha256: Sha256;
  readonly bytes: number;
}

/** Content that is not in its place yet. */
export interface WrittenContent extends StoredContent {
  readonly temporary: string;
}

export interface BlobFilesOptions {
  readonly folder: string;
  /** On the same file system as the folder. */
  readonly temporaryFolder: string;
  readonly fs: FileSystem;
}

/** Methods throw AppError disk-full or io-failed. */
export class BlobFiles {
  readonly #options: BlobFilesOptions;

  constructor(options: BlobFilesOptions) {
    this.#options = options;
  }

  /** Leaves nothing behind when it fails. */
  async write(source: Source, sync: boolean): Promise<WrittenContent> {
    const { fs, temporaryFolder } = this.#options;
    const temporary = join(temporaryFolder, randomBytes(12).toString('hex'));
    const hash = createHash('sha256');
    let bytes = 0;
    return failing('keeping content in the history', async () => {
      const handle = await fs.open(temporary, 'wx', BLOB_MODE);
      try {
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
      } catch (error) {
        await this.#discard(temporary);
        throw error;
      }
      return { temporary, sha256: asSha256(hash.digest('hex')), bytes };
    });
  }

  /** Its name is durable after `syncFolder`. */
  async moveIn({ temporary, sha256 }: WrittenContent): Promise<void> {
    await failing('keeping content in the history', async () => {
      try {
        await this.#options.fs.rename(temporary, this.#pathOf(sha256));
      } catch (error) {
        await this.#discard(temporary);
        throw error;
      }
    });
  }

  discard({ temporary }: WrittenContent): Promise<void> {
    return this.#discard(temporary);
  }

  async syncFolder(): Promise<void> {
    await failing('keeping content in the history', () =>
      syncDirectory(this.#options.fs, this.#options.folder),
    );
  }

  async syncAll(contents: readonly Sha256[]): Promise<void> {
    const { fs, folder } = this.#options;
    await failing('keeping content in the history', async () => {
      if (contents.length > SYNCED_ONE_BY_ONE && (await fs.syncFileSystem(folder))) return;
      for (let from = 0; from < contents.length; from += SYNCED_ONE_BY_ONE) {
        await Promise.all(
          contents.slice(from, from + SYNCED_ONE_BY_ONE).map((sha256) => this.#syncOne(sha256)),
        );
      }
      await syncDirectory(fs, folder);
    });
  }

  /** By its look alone: the content is not read. */
  async isThere({ sha256, bytes }: StoredContent): Promise<boolean> {
    try {
      const stats = await this.#options.fs.lstat(this.#pathOf(sha256));
      return stats.isFile() && Number(stats.size) === bytes;
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
      throw toIoError(error, 'reading the history');
    }
  }

  /** Other files in the folder are not ours and are left alone. */
  async list(): Promise<Sha256[]> {
    const { fs, folder } = this.#options;
    try {
      return (await fs.readdir(folder)).filter(isSha256);
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
      throw toIoError(error, 'listing the history');
    }
  }

  /** 0 when it is gone. */
  async sizeOf(sha256: Sha256): Promise<number> {
    try {
      return Number((await this.#options.fs.lstat(this.#pathOf(sha256))).size);
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return 0;
      throw toIoError(error, 'reading the history');
    }
  }

  /** Whether it went away: what took its place and can't be unlinked (a planted folder) stays. */
  async remove(sha256: Sha256): Promise<boolean> {
    try {
      await this.#options.fs.unlink(this.#pathOf(sha256));
      return true;
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return true;
      if (isSystemError(error, 'EISDIR', 'EPERM')) return false;
      throw toIoError(error, 'removing content from the history');
    }
  }

  async removeTemporaryFiles(): Promise<void> {
    const { fs, temporaryFolder } = this.#options;
    for (const name of await fs.readdir(temporaryFolder)) await this.#discard(join(temporaryFolder, name));
  }

  /** Throws blob-missing, and at the end blob-damaged when the content is not what its name says. */
  async *chunks(sha256: Sha256): AsyncGenerator<Uint8Array> {
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
      if (isSystemError(error, 'EISDIR')) throw damaged(sha256, 'a folder');
      throw toIoError(error, 'reading the history');
    } finally {
      await handle.close().catch((error: unknown) => {
        throw toIoError(error, 'reading the history');
      });
    }
    const found = hash.digest('hex');
    if (found !== sha256) throw damaged(sha256, found);
  }

  /** What can't be removed now is removed by the next opening, and harms nothing until then. */
  async #discard(temporary: string): Promise<void> {
    await this.#options.fs.unlink(temporary).catch(() => undefined);
  }

  async #syncOne(sha256: Sha256): Promise<void> {
    const handle = await this.#options.fs.open(this.#pathOf(sha256), 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #pathOf(sha256: Sha256): string {
    return join(this.#options.folder, sha256);
  }
}

export const missing = (sha256: Sha256): AppError =>
  new AppError('blob-missing', `The content ${sha256} is not in the history.`);

const damaged = (sha256: Sha256, found: string): AppError =>
  new AppError('blob-damaged', `Content in the history is damaged: expected ${sha256}, found ${found}.`);

async function failing<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toIoError(error, doing);
  }
}
