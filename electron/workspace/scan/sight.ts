/** Asks the system about single paths, and says in words for people what is in the way. */

import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { isReservedName } from '../../../shared/rel-path.ts';
import { isSystemError } from '../../base/io-errors.ts';
import { isTempName } from '../temp-name.ts';

/** Something is there, and can't be looked at. */
export interface Obstacle {
  readonly reason: string;
}

export const isObstacle = (sight: object | null): sight is Obstacle => sight !== null && 'reason' in sight;

/** null when nothing is there, or when what was its parent is no directory any more. */
export function statsOf(absolute: string): BigIntStats | Obstacle | null {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP') ? null : obstacleOf(error);
  }
}

/** 0 for what is not there or can't be looked at. */
export function sizeAt(absolute: string): number {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Throws what is no failed system call. */
export function obstacleOf(error: unknown): Obstacle {
  if (isSystemError(error, 'EACCES', 'EPERM')) return { reason: 'cannot be read: permission denied' };
  if (isSystemError(error, 'ENAMETOOLONG')) return { reason: 'cannot be read: its path is too long' };
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return { reason: `cannot be read (${error.code})` };
  }
  throw error;
}

export interface Names {
  readonly directories: readonly string[];
  readonly others: readonly string[];
  /** Names that are no text, as they can be shown. */
  readonly foreign: readonly string[];
}

/** What is in a directory, git's and our own data aside; null when it is gone. */
export function namesIn(absolute: string): Names | Obstacle | null {
  try {
    const entries = readdirSync(absolute, { withFileTypes: true });
    // What is no UTF-8 comes with this character in it; but a name may also hold it by right.
    if (entries.some(({ name }) => name.includes('\uFFFD'))) return namesByBytes(absolute);
    return sorted(
      entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() })),
      [],
    );
  } catch (error) {
    return isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP') ? null : obstacleOf(error);
  }
}

function namesByBytes(absolute: string): Names {
  const texts: { name: string; isDirectory: boolean }[] = [];
  const foreign: string[] = [];
  for (const entry of readdirSync(absolute, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('utf8');
    if (Buffer.from(name, 'utf8').equals(entry.name)) texts.push({ name, isDirectory: entry.isDirectory() });
    else foreign.push(escaped(entry.name));
  }
  return sorted(texts, foreign);
}

function sorted(
  entries: readonly { name: string; isDirectory: boolean }[],
  foreign: readonly string[],
): Names {
  const directories: string[] = [];
  const others: string[] = [];
  for (const { name, isDirectory } of entries) {
    if (isReservedName(name) || isTempName(name)) continue;
    (isDirectory ? directories : others).push(name);
  }
  return { directories, others, foreign };
}

/** ASCII as it is, and every other byte as `\xHH`. */
const escaped = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
