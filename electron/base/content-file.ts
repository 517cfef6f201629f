/**
 * Puts content into a folder in which each file is named by the SHA-256 of what it holds, from a worker thread. The file is
 * whole, but not yet synced: who names it in a row syncs the file system first.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from './io-errors.ts';

export interface ContentFolder {
  readonly folder: string;
  /** On the same file system; what a crash leaves there is removed by the next opening. */
  readonly temporaryFolder: string;
}

export const CONTENT_MODE = 0o600;

/** Throws what the system throws, and leaves nothing behind. */
export function putContentFile(
  { folder, temporaryFolder }: ContentFolder,
  sha256: string,
  bytes: Uint8Array,
): void {
  const path = join(folder, sha256);
  const present = hashOfPresent(path);
  if (present === sha256) return;
  const temporary = join(temporaryFolder, randomBytes(12).toString('hex'));
  const descriptor = openSync(temporary, 'wx', CONTENT_MODE);
  try {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written);
      }
      // A row may trust what stands there: after a power loss it must not be worse than it was.
      if (present !== null) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // The first error is the one to tell.
    }
    throw error;
  }
}

/** null when there is nothing; a file without a row is not trusted by its name, so its content is looked at. */
function hashOfPresent(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    if (isSystemError(error, 'ELOOP')) return '';
    throw error;
  }
  try {
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
