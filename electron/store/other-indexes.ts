/**
 * Other indexes over the same blobs: `index.json` of an earlier app, and indexes of ours that were set aside as damaged. What they name
 * is not pruned as long as they are there, because they are what a person would get it back with.
 */

import { constants } from 'node:fs';
import { basename, join } from 'node:path';
import { asSha256, type Sha256 } from '../../shared/ids.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import { isSetAside } from './set-aside.ts';
import { OWN_FILE_FLAGS, type StorePaths } from './store-folder.ts';

const CHUNK_BYTES = 1024 * 1024;
const HASH_LENGTH = 64;

export async function otherIndexes(fs: FileSystem, paths: StorePaths): Promise<string[]> {
  try {
    const names = await fs.readdir(paths.checkpoints);
    return names
      .filter((name) => name === basename(paths.importable) || isSetAside(name))
      .map((name) => join(paths.checkpoints, name));
  } catch (error) {
    throw toIoError(error, 'listing the history');
  }
}

/** Both kinds hold hashes as plain text, so that they are found also where the rest is damaged. */
export async function contentsNamedIn(fs: FileSystem, files: readonly string[]): Promise<Set<Sha256>> {
  const named = new Set<Sha256>();
  for (const file of files) {
    try {
      await collectHashes(fs, file, named);
    } catch (error) {
      // Gone meanwhile, or no file at all: it names nothing.
      if (!isSystemError(error, 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO')) {
        throw toIoError(error, 'reading an index that was set aside');
      }
    }
  }
  return named;
}

async function collectHashes(fs: FileSystem, file: string, named: Set<Sha256>): Promise<void> {
  const handle = await fs.open(file, constants.O_RDONLY | OWN_FILE_FLAGS);
  try {
    let digits = '';
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      const text = digits + buffer.toString('latin1', 0, bytesRead);
      // What stands beside a hash may look like a part of it: each piece of a longer run may be the one.
      for (const [run] of text.matchAll(/[0-9a-f]{64,}/g)) {
        for (let at = 0; at + HASH_LENGTH <= run.length; at += 1) {
          named.add(asSha256(run.slice(at, at + HASH_LENGTH)));
        }
      }
      digits = /[0-9a-f]{0,63}$/.exec(text)?.[0] ?? '';
    }
  } finally {
    await handle.close();
  }
}
