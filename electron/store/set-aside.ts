/** A damaged index is set aside, never deleted: its blobs stay, and what it holds may still be got out by hand. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { syncDirectory } from '../base/durable-files.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError } from '../base/io-errors.ts';
import { indexFiles, type StorePaths } from './store-folder.ts';

/** What follows `index.sqlite` in the names of files that were set aside. */
const MARK = '.damaged-';

/** Returns the new name of the index. A crash in between is no harm: see `isLogAlone`. */
export async function setIndexAside(fs: FileSystem, paths: StorePaths, nowMs: number): Promise<string> {
  const when = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  // Two of the same moment must not replace each other.
  const aside = `${paths.index}${MARK}${when}-${randomBytes(3).toString('hex')}`;
  for (const file of indexFiles(paths)) {
    await fs.rename(file, `${aside}${file.slice(paths.index.length)}`).catch((error: unknown) => {
      if (!isSystemError(error, 'ENOENT')) throw error;
    });
  }
  await syncDirectory(fs, paths.checkpoints);
  return basename(aside);
}

/** The log of an index that is gone. SQLite would write it into a new one. */
export async function isLogAlone(fs: FileSystem, paths: StorePaths): Promise<boolean> {
  if (await exists(fs, paths.index)) return false;
  return (await exists(fs, `${paths.index}-wal`)) || exists(fs, `${paths.index}-journal`);
}

export const isSetAside = (name: string): boolean => name.startsWith(`index.sqlite${MARK}`);

async function exists(fs: FileSystem, path: string): Promise<boolean> {
  try {
    await fs.lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}
