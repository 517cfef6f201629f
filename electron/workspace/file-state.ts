/** Looks at one path: what stands there, without ever blocking on it, following it or changing it. */

import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { ABSENT, type FileState, overLimitReason } from '../../shared/file-state.ts';
import { asSha256, type RelPath } from '../../shared/ids.ts';
import type { FileSystem } from '../base/file-system.ts';
import { sha256Of } from '../base/hash.ts';
import { isSystemError } from '../base/io-errors.ts';
import { absoluteOf, type Root } from './contain.ts';
import { isMissing, systemFailure } from './system-failure.ts';

/** Permission bits with set-user-id, set-group-id and sticky. */
export const MODE_BITS = 0o7777;

/** Larger files are hashed and copied in pieces instead of being held in memory. */
const MOST_BYTES_IN_MEMORY = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** How often a file that changes while it is read is read again. */
const READ_ATTEMPTS = 3;

/** Windows knows neither flag; symlinks are told by lstat there, and FIFOs don't exist in folders. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface Sight {
  readonly state: FileState;
  /** null when nothing is there. */
  readonly stats: BigIntStats | null;
  /** The content of a file that is small enough to hold. */
  readonly bytes: Uint8Array | null;
  /** Why the content is not held: `too-large` by policy; the others can't be held by anybody. */
  readonly obstacle: 'too-large' | 'unreadable' | 'special' | null;
}

const NOTHING: Sight = { state: ABSENT, stats: null, bytes: null, obstacle: null };

export const modeOf = (stats: BigIntStats): number => Number(stats.mode) & MODE_BITS;

export async function stateOf(at: Root, path: RelPath, maxFileBytes: number | null): Promise<FileState> {
  return (await look(at, path, maxFileBytes)).state;
}

/** Throws `path-changed` for a file that never holds still, and `io-failed` where the disk fails. */
export async function look(at: Root, path: RelPath, maxFileBytes: number | null): Promise<Sight> {
  try {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const sight = await lookOnce(at.fs, absoluteOf(at, path), maxFileBytes);
      if (sight !== 'changed') return sight;
    }
  } catch (error) {
    throw systemFailure(error, `reading ${path}`, path);
  }
  throw new AppError('path-changed', `${path} keeps changing while it is read. Try again in a moment.`, {
    path,
  });
}

/** Whether a path still stands as it was seen: any write, replacement or change of mode shows in one of these. */
export function isUnchanged(seen: BigIntStats | null, now: BigIntStats | null): boolean {
  if (seen === null || now === null) return seen === now;
  if (seen.dev !== now.dev || seen.ino !== now.ino || seen.mode !== now.mode) return false;
  // The times of a directory move with what is in it.
  if (seen.isDirectory()) return true;
  return seen.size === now.size && seen.mtimeNs === now.mtimeNs && seen.ctimeNs === now.ctimeNs;
}

export async function statsOf(fs: FileSystem, absolute: string): Promise<BigIntStats | null> {
  try {
    return await fs.lstat(absolute);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Opens a regular file for reading; the caller closes. A symlink that was swapped in fails, a FIFO does not block. */
export const openForReading = (fs: FileSystem, absolute: string): Promise<FileHandle> =>
  fs.open(absolute, READ_FLAGS);

/** The whole file from its start. Each piece is a buffer of its own: the consumer may keep it. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(PIECE_BYTES),
      0,
      PIECE_BYTES,
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function lookOnce(
  fs: FileSystem,
  absolute: string,
  maxFileBytes: number | null,
): Promise<Sight | 'changed'> {
  const stats = await statsOf(fs, absolute);
  if (stats === null) return NOTHING;
  if (stats.isSymbolicLink()) return lookAtLink(fs, absolute, stats);
  if (stats.isDirectory()) {
    return { state: { kind: 'directory', mode: modeOf(stats) }, stats, bytes: null, obstacle: null };
  }
  if (!stats.isFile()) return unheld(stats, `is a ${specialKindOf(stats)}`, 'special');
  const size = Number(stats.size);
  if (maxFileBytes !== null && size > maxFileBytes) {
    return unheld(stats, overLimitReason(size, maxFileBytes), 'too-large');
  }
  return readWhole(fs, absolute, stats);
}

async function lookAtLink(fs: FileSystem, absolute: string, stats: BigIntStats): Promise<Sight | 'changed'> {
  let target: string;
  try {
    target = await fs.readlink(absolute);
  } catch (error) {
    if (isMissing(error) || isSystemError(error, 'EINVAL')) return 'changed';
    throw error;
  }
  // Bytes that are no UTF-8 come as U+FFFD: a link made from that text would lead elsewhere.
  if (target.includes('\uFFFD'))
    return unheld(stats, 'is a link whose target is not valid UTF-8', 'unreadable');
  return { state: { kind: 'symlink', target }, stats, bytes: null, obstacle: null };
}

async function readWhole(fs: FileSystem, absolute: string, stats: BigIntStats): Promise<Sight | 'changed'> {
  let handle: FileHandle;
  try {
    handle = await openForReading(fs, absolute);
  } catch (error) {
    if (isMissing(error) || isSystemError(error, 'ELOOP')) return 'changed';
    if (isSystemError(error, 'EACCES', 'EPERM')) {
      return unheld(stats, 'cannot be read: permission denied', 'unreadable');
    }
    throw error;
  }
  try {
    const held = stats.size <= MOST_BYTES_IN_MEMORY ? await handle.readFile() : null;
    const sha256 = held === null ? await hashOf(handle) : sha256Of(held);
    if (!isUnchanged(stats, await handle.stat({ bigint: true }))) return 'changed';
    const state: FileState = { kind: 'content', sha256, bytes: Number(stats.size), mode: modeOf(stats) };
    return { state, stats, bytes: held, obstacle: null };
  } finally {
    await handle.close();
  }
}

async function hashOf(handle: FileHandle) {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(handle)) hash.update(piece);
  return asSha256(hash.digest('hex'));
}

const unheld = (stats: BigIntStats, reason: string, obstacle: Sight['obstacle']): Sight => ({
  state: { kind: 'skipped', reason, bytes: Number(stats.size), mode: modeOf(stats) },
  stats,
  bytes: null,
  obstacle,
});

export function specialKindOf(stats: BigIntStats): string {
  if (stats.isSocket()) return 'socket';
  if (stats.isFIFO()) return 'FIFO';
  if (stats.isCharacterDevice()) return 'character device';
  return stats.isBlockDevice() ? 'block device' : 'special file';
}
