/**
 * Puts content into a folder in which each file is named by the SHA-256 of what it holds, from a worker thread. The file is
 * whole, but not yet synced: who names it in a row syncs the file system first.
 */

import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

export interface ContentFolder {
  readonly folder: string;
  /** On the same file system; what a crash leaves there is removed by the next opening. */
  readonly temporaryFolder: string;
}

const CONTENT_MODE = 0o600;
const LOOK_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const ownNames = randomBytes(12).toString('hex');
let temporaryFiles = 0;

/** Throws what the system throws, and leaves nothing behind. */
export function putContentFile(
  { folder, temporaryFolder }: ContentFolder,
  sha256: string,
  bytes: Uint8Array,
): void {
  const path = `${folder}/${sha256}`;
  // Asked first, because an open that fails takes longer than all the rest.
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere && holds(path, sha256)) return;
  temporaryFiles += 1;
  const temporary = `${temporaryFolder}/${ownNames}-${temporaryFiles}`;
  const descriptor = openSync(temporary, 'wx', CONTENT_MODE);
  try {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written);
      }
      // A row may trust what stands there: after a power loss it must not be worse than it was.
      if (isThere) fsyncSync(descriptor);
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

/** A file without a row is not trusted by its name, so its content is looked at. */
function holds(path: string, sha256: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, LOOK_FLAGS);
    return hash('sha256', readFileSync(descriptor)) === sha256;
  } catch {
    // Removed meanwhile, or no file that can be read: it is put anew.
    return false;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
