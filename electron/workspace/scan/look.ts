/** Looks closely at one path in a worker thread: its state, and for a file its content, which goes into the content folder. */

import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { ABSENT, type FileState, overLimitReason } from '../../../shared/file-state.ts';
import { type ContentFolder, putContentFile } from '../../base/content-file.ts';
import { isSystemError } from '../../base/io-errors.ts';
import { isUnchanged, MODE_BITS, specialKindOf } from '../file-state.ts';
import { bytesOf, hashOf } from './read-content.ts';
import { isObstacle, obstacleOf, statsOf } from './sight.ts';
import type { Stamp } from './stat-table.ts';

/** A symlink that was swapped in is not followed, and a FIFO does not block. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const READ_ATTEMPTS = 3;
/**
 * A change this soon after a look may carry the same times: clocks of file systems tick every 1 to 10 ms, of FAT every 2 s.
 * Such a path is looked at again by the next scan.
 */
const SETTLING_NS = 2_000_000_000n;

export interface Looked {
  readonly path: string;
  /** What the baseline remembers: content that is held, or skipped. */
  readonly state: FileState;
  /** What is there, also where the content is not held: told from a later edit by its hash. */
  readonly seen: FileState;
  /** null when nothing is there. */
  readonly stamp: Stamp | null;
  /** Whether the stamp tells of every later change. */
  readonly isSettled: boolean;
}

/** A path that is not as it was known. */
export interface Found extends Looked {
  readonly isNew: boolean;
}

export interface LookOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly contents: ContentFolder;
}

/** `tellLarge`: files over the limit are hashed, too. Throws when content can't be put. */
export function lookAt(path: string, options: LookOptions, tellLarge: boolean): Looked {
  const absolute = `${options.root}/${path}`;
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
    const looked = lookOnce(path, absolute, options, tellLarge);
    if (looked !== 'changed') return looked;
  }
  const stats = statsOf(absolute);
  if (stats === null || isObstacle(stats)) return gone(path);
  return skipped(path, stats, 'keeps changing while it is read', false);
}

export const gone = (path: string): Looked => ({
  path,
  state: ABSENT,
  seen: ABSENT,
  stamp: null,
  isSettled: true,
});

export function directorySeen(path: string, stats: BigIntStats): Looked {
  return plain(path, { kind: 'directory', mode: modeOf(stats) }, stats, true);
}

export function isSettled({ mtimeNs, ctimeNs }: Stamp, lookedAtMs: number): boolean {
  const lookedAtNs = BigInt(lookedAtMs) * 1_000_000n;
  // Nobody can set the time of change, so one that is ahead means that the clock was set back. Anybody can set the other.
  return ctimeNs < lookedAtNs - SETTLING_NS && (mtimeNs < lookedAtNs - SETTLING_NS || mtimeNs > lookedAtNs);
}

function lookOnce(
  path: string,
  absolute: string,
  options: LookOptions,
  tellLarge: boolean,
): Looked | 'changed' {
  const lookedAtMs = Date.now();
  const stats = statsOf(absolute);
  if (stats === null) return gone(path);
  if (isObstacle(stats)) return 'changed';
  if (stats.isFile()) {
    if (stats.size <= options.maxFileBytes) return lookAtFile(path, absolute, stats, options, lookedAtMs);
    const large = skipped(path, stats, overLimitReason(Number(stats.size), options.maxFileBytes), true);
    return tellLarge ? telling(large, absolute, stats) : large;
  }
  if (stats.isSymbolicLink()) return lookAtLink(path, absolute, stats, isSettled(stats, lookedAtMs));
  if (stats.isDirectory()) return gone(path);
  return skipped(path, stats, `is a ${specialKindOf(stats)}`, true);
}

function lookAtLink(
  path: string,
  absolute: string,
  stats: BigIntStats,
  settled: boolean,
): Looked | 'changed' {
  let target: string;
  try {
    target = readlinkSync(absolute);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EINVAL')) return 'changed';
    return skipped(path, stats, obstacleOf(error).reason, true);
  }
  if (target.includes('\uFFFD')) {
    return skipped(path, stats, 'is a link whose target is not valid UTF-8', settled);
  }
  return plain(path, { kind: 'symlink', target }, stats, settled);
}

function lookAtFile(
  path: string,
  absolute: string,
  stats: BigIntStats,
  { contents }: LookOptions,
  lookedAtMs: number,
): Looked | 'changed' {
  const read = reading(absolute, stats, (descriptor) => bytesOf(descriptor, Number(stats.size)));
  if (read === 'changed') return 'changed';
  if ('reason' in read) return skipped(path, stats, read.reason, true);
  const { sha256, bytes } = read.value;
  putContentFile(contents, sha256, bytes);
  const state: FileState = { kind: 'content', sha256, bytes: bytes.length, mode: modeOf(stats) };
  return plain(path, state, stats, isSettled(stats, lookedAtMs));
}

function telling(large: Looked, absolute: string, stats: BigIntStats): Looked | 'changed' {
  const read = reading(absolute, stats, hashOf);
  if (read === 'changed') return 'changed';
  if ('reason' in read) return large;
  const seen: FileState = {
    kind: 'content',
    sha256: read.value,
    bytes: Number(stats.size),
    mode: modeOf(stats),
  };
  return { ...large, seen };
}

/** What is read of a file that is, before and after, as it was seen. */
function reading<T>(
  absolute: string,
  stats: BigIntStats,
  read: (descriptor: number) => T,
): { readonly value: T } | { readonly reason: string } | 'changed' {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(absolute, READ_FLAGS);
    const value = read(descriptor);
    return isUnchanged(stats, fstatSync(descriptor, { bigint: true })) ? { value } : 'changed';
  } catch (error) {
    return isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR')
      ? 'changed'
      : obstacleOf(error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

const plain = (path: string, state: FileState, stats: BigIntStats, settled: boolean): Looked => ({
  path,
  state,
  seen: state,
  stamp: stampOf(stats),
  isSettled: settled,
});

function skipped(path: string, stats: BigIntStats, reason: string, settled: boolean): Looked {
  const state: FileState = { kind: 'skipped', reason, bytes: Number(stats.size), mode: modeOf(stats) };
  return plain(path, state, stats, settled);
}

/** Without the rest of the stats, which can't cross to another thread. */
const stampOf = ({ size, mtimeNs, ctimeNs, ino, mode }: Stamp): Stamp => ({
  size,
  mtimeNs,
  ctimeNs,
  ino,
  mode,
});

const modeOf = (stats: BigIntStats): number => Number(stats.mode) & MODE_BITS;
