/**
 * Files with several names (hard links) keep their inode, so that all names go on sharing one content: they are written in
 * place, which no rename makes atomic. The whole new content is therefore in the temporary file beside the target first, and
 * the capture names it, so that recovery can do the copy again (leftovers.ts).
 */

import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { RelPath } from '../../../shared/ids.ts';
import { isSystemError } from '../../base/io-errors.ts';
import type { Root } from '../contain.ts';
import { modeOf, openForReading, type Sight } from '../file-state.ts';
import { isMissing, systemFailure } from '../system-failure.ts';
import { closeRead, type FunnelContext, LeftForRecovery, type Target } from './change.ts';

const WRITE_FLAGS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** null: the ordinary way, a rename. Also for a linked file that may not be written but whose directory may. */
export async function openInPlace(
  { fs }: Root,
  { path, absolute, before }: Target,
): Promise<FileHandle | null> {
  if (!before.stats?.isFile() || before.stats.nlink <= 1n) return null;
  try {
    return await fs.open(absolute, WRITE_FLAGS);
  } catch (error) {
    if (isSystemError(error, 'EACCES', 'ETXTBSY', 'ELOOP') || isMissing(error)) return null;
    throw systemFailure(error, `writing ${path}`, path);
  }
}

export interface InPlace {
  readonly handle: FileHandle;
  readonly tempPath: string;
  readonly before: Sight;
  readonly mode: number;
  readonly path: RelPath;
}

/** Closes the handle. False when the temporary file is still there. */
export async function overwriteInPlace(
  context: FunnelContext,
  { handle, tempPath, before, mode, path }: InPlace,
): Promise<boolean> {
  const source = await openForReading(context.fs, tempPath);
  try {
    try {
      await copyOver(source, handle, Number(before.stats?.size ?? 0));
      // Only the owner may set it, and others may be allowed to write.
      if (modeOf(await handle.stat({ bigint: true })) !== mode) await handle.chmod(mode);
    } catch (error) {
      await putBack(handle, before, error, path);
      throw error;
    }
    try {
      if (context.durable) await handle.sync();
      await handle.close();
    } catch (error) {
      leave(error, path);
    }
  } finally {
    await closeRead(source);
  }
  try {
    await context.fs.unlink(tempPath);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/** What lies beyond the old end comes first: a full disk shows there, where it has not yet cost an old byte. */
async function copyOver(source: FileHandle, target: FileHandle, oldBytes: number): Promise<void> {
  const { size } = await source.stat();
  await copyRange(source, target, oldBytes, size);
  await copyRange(source, target, 0, Math.min(oldBytes, size));
  await target.truncate(size);
}

const COPY_BYTES = 256 * 1024;

async function copyRange(source: FileHandle, target: FileHandle, from: number, to: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  for (let position = from; position < to; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(COPY_BYTES, to - position), position);
    if (bytesRead === 0) return;
    await writeAll(target, buffer.subarray(0, bytesRead), position);
    position += bytesRead;
  }
}

async function writeAll(target: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const { bytesWritten } = await target.write(
      bytes,
      written,
      bytes.byteLength - written,
      position + written,
    );
    written += bytesWritten;
  }
}

async function putBack(
  handle: FileHandle,
  { bytes, stats }: Sight,
  cause: unknown,
  path: RelPath,
): Promise<void> {
  if (bytes === null || stats === null) leave(cause, path);
  else {
    try {
      await writeAll(handle, bytes, 0);
      await handle.truncate(bytes.byteLength);
    } catch {
      leave(cause, path);
    }
  }
}

function leave(cause: unknown, path: RelPath): never {
  throw new LeftForRecovery(
    'io-failed',
    `Writing ${path} was cut off in the middle; it is completed when the folder is opened the next time.`,
    { cause, path },
  );
}
