/**
 * Files with several names (hard links) keep their inode, so that all names go on sharing one content: they are written in
 * place, which no rename makes atomic. The whole new content is therefore in the temporary file beside the target first, and
 * the capture names it. What recovery must know: a capture that is open, whose temporary file is there with the intended hash,
 * and whose target has several names and holds neither the before-state nor the intent, was cut off in the middle of the copy;
 * `completeInPlace` does the copy again. (With a target of one name nothing is ever half: it was changed by a person.)
 */

import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import type { RelPath } from '../../../shared/ids.ts';
import { isSystemError } from '../../base/io-errors.ts';
import { absoluteOf, checkParents, contain, type Root } from '../contain.ts';
import { look, openForReading, type Sight } from '../file-state.ts';
import { isMissing, systemFailure } from '../system-failure.ts';
import { isTempName } from '../temp-name.ts';
import { type FunnelContext, LeftForRecovery, type Target } from './change.ts';

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

export async function overwriteInPlace(
  context: FunnelContext,
  { handle, tempPath, before, mode, path }: InPlace,
): Promise<void> {
  const source = await openForReading(context.fs, tempPath);
  try {
    try {
      await copyOver(source, handle, Number(before.stats?.size ?? 0));
      await handle.chmod(mode);
    } catch (error) {
      await putBack(handle, before, error, path);
      throw error;
    }
    if (context.durable) await handle.sync().catch((error: unknown) => leave(error, path));
  } finally {
    await source.close();
  }
  // Left over at worst: recovery and every scan know its name.
  await context.fs.unlink(tempPath).catch(() => undefined);
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

/** Recovery only: removes the temporary file of a change that was cut off. Never anything else, whatever the index says. */
export async function removeTemp(at: Root, path: string, temp: string): Promise<boolean> {
  const tempPath = await containTemp(at, path, temp);
  if (tempPath === null) return false;
  try {
    await at.fs.unlink(tempPath);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw systemFailure(error, `removing ${temp}`, path);
  }
}

/** Recovery only: ends a copy that a crash cut off (see above). False when this is not what happened. */
export async function completeInPlace(
  at: Root,
  path: string,
  temp: string,
  states: { readonly pre: FileState; readonly intent: FileState },
): Promise<boolean> {
  const tempPath = await containTemp(at, path, temp);
  if (tempPath === null || states.intent.kind !== 'content') return false;
  const contained = await contain(at, path);
  const present = await look(at, contained, null);
  if (!present.stats?.isFile() || present.stats.nlink <= 1n) return false;
  if (sameState(present.state, states.pre) || sameState(present.state, states.intent)) return false;
  const tempRelative = contained.slice(0, contained.lastIndexOf('/') + 1) + temp;
  const held = await look(at, await contain(at, tempRelative), null);
  if (held.state.kind !== 'content' || held.state.sha256 !== states.intent.sha256) return false;
  const target: Target = { path: contained, absolute: absoluteOf(at, contained), before: present };
  const handle = await openInPlace(at, target);
  if (handle === null) return false;
  try {
    const { mode } = states.intent;
    await overwriteInPlace(
      { ...at, durable: true },
      { handle, tempPath, before: present, mode, path: contained },
    );
    return true;
  } finally {
    await handle.close();
  }
}

/** null when it is not one of our names beside a contained path. */
async function containTemp(at: Root, path: string, temp: string): Promise<string | null> {
  if (!isTempName(temp)) return null;
  const contained = await contain(at, path);
  try {
    await checkParents(at, contained);
  } catch {
    return null;
  }
  return join(dirname(absoluteOf(at, contained)), temp);
}
