/** Looks at one path in a worker thread: its state, and for a file its content, which goes into the content folder. */

import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { ABSENT, type FileState, overLimitReason } from '../../../shared/file-state.ts';
import { asSha256, type Sha256 } from '../../../shared/ids.ts';
import { type ContentFolder, putContentFile } from '../../base/content-file.ts';
import { isSystemError } from '../../base/io-errors.ts';
import { isUnchanged, MODE_BITS, specialKindOf } from '../file-state.ts';
import type { Stamp } from './stat-table.ts';

/** A symlink that was swapped in is not followed, and a FIFO does not block. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const READ_ATTEMPTS = 3;
const PIECE_BYTES = 1024 * 1024;
/**
 * A change this soon after a look may carry the same times: clocks of file systems tick every 1 to 10 ms, FAT every 2 s.
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

export interface LookOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly contents: ContentFolder;
}

export function lookAt(path: string, options: LookOptions): Looked {
  const absolute = `${options.root}/${path}`;
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
    const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return { path, state: ABSENT, seen: ABSENT, stamp: null, isSettled: true };
    const looked = lookOnce(path, absolute, stats, options);
    if (looked !== 'changed') return looked;
  }
  const stats = lstatSync(absolute, { bigint: true });
  return skipped(path, stats, 'keeps changing while it is read', false);
}

export function isSettled(stats: Stamp, lookedAtMs: number): boolean {
  const latest = BigInt(lookedAtMs) * 1_000_000n - SETTLING_NS;
  return stats.mtimeNs < latest && stats.ctimeNs < latest;
}

function lookOnce(
  path: string,
  absolute: string,
  stats: BigIntStats,
  options: LookOptions,
): Looked | 'changed' {
  const settled = isSettled(stats, Date.now());
  if (stats.isDirectory()) {
    return same(path, { kind: 'directory', mode: modeOf(stats) }, stats, settled);
  }
  if (stats.isSymbolicLink()) {
    const target = unlessChanged(() => readlinkSync(absolute), 'ENOENT', 'EINVAL');
    if (target === 'changed') return 'changed';
    if (target.value.includes('\uFFFD')) {
      return skipped(path, stats, 'is a link whose target is not valid UTF-8', settled);
    }
    return same(path, { kind: 'symlink', target: target.value }, stats, settled);
  }
  if (!stats.isFile()) return skipped(path, stats, `is a ${specialKindOf(stats)}`, true);
  return lookAtFile(path, absolute, stats, options);
}

function lookAtFile(
  path: string,
  absolute: string,
  stats: BigIntStats,
  options: LookOptions,
): Looked | 'changed' {
  let descriptor: number;
  try {
    const opened = unlessChanged(() => openSync(absolute, READ_FLAGS), 'ENOENT', 'ELOOP', 'ENXIO');
    if (opened === 'changed') return 'changed';
    descriptor = opened.value;
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EPERM')) throw error;
    return skipped(path, stats, 'cannot be read: permission denied', true);
  }
  try {
    const lookedAtMs = Date.now();
    const isLarge = stats.size > BigInt(options.maxFileBytes);
    const content = isLarge ? hashOf(descriptor) : readWhole(descriptor, Number(stats.size));
    if (!isUnchanged(stats, fstatSync(descriptor, { bigint: true }))) return 'changed';
    const state = {
      kind: 'content',
      sha256: content.sha256,
      bytes: Number(stats.size),
      mode: modeOf(stats),
    } as const;
    if (content.bytes === null) {
      const reason = overLimitReason(state.bytes, options.maxFileBytes);
      return { ...skipped(path, stats, reason, true), seen: state };
    }
    putContentFile(options.contents, content.sha256, content.bytes);
    return same(path, state, stats, isSettled(stats, lookedAtMs));
  } finally {
    closeSync(descriptor);
  }
}

interface Content {
  readonly sha256: Sha256;
  readonly bytes: Uint8Array | null;
}

/** What the file had when it was looked at; one that changed since is noticed by the caller. */
function readWhole(descriptor: number, size: number): Content {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, buffer, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  const bytes = buffer.subarray(0, length);
  return { sha256: asSha256(createHash('sha256').update(bytes).digest('hex')), bytes };
}

function hashOf(descriptor: number): Content {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const count = readSync(descriptor, piece, 0, piece.length, null);
    if (count === 0) return { sha256: asSha256(hash.digest('hex')), bytes: null };
    hash.update(piece.subarray(0, count));
  }
}

function unlessChanged<T>(call: () => T, ...codes: string[]): { readonly value: T } | 'changed' {
  try {
    return { value: call() };
  } catch (error) {
    if (isSystemError(error, ...codes)) return 'changed';
    throw error;
  }
}

const same = (path: string, state: FileState, stats: BigIntStats, settled: boolean): Looked => ({
  path,
  state,
  seen: state,
  stamp: stampOf(stats),
  isSettled: settled,
});

function skipped(path: string, stats: BigIntStats, reason: string, settled: boolean): Looked {
  const state: FileState = { kind: 'skipped', reason, bytes: Number(stats.size), mode: modeOf(stats) };
  return same(path, state, stats, settled);
}

/** Without the rest of the stats, which can't cross to another thread. */
export const stampOf = ({ size, mtimeNs, ctimeNs, ino, mode }: Stamp): Stamp => ({
  size,
  mtimeNs,
  ctimeNs,
  ino,
  mode,
});

const modeOf = (stats: BigIntStats): number => Number(stats.mode) & MODE_BITS;
