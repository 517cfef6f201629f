/** Removes a folder's history for good. The person's files stay as they are. */

import { join } from 'node:path';
import { type FileSystem, nodeFileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import { takeLock } from './folder-lock.ts';
import { indexFiles, prepareFolders, storePaths } from './store-folder.ts';

/** The store must be closed. Throws AppError `store-locked`, `store-untrusted`, `folder-read-only` or `io-failed`. */
export async function forgetStore(root: string, fs: FileSystem = nodeFileSystem): Promise<void> {
  const paths = storePaths(root);
  await prepareFolders(fs, root, paths);
  const lock = await takeLock({
    path: paths.lock,
    holderPath: paths.lockHolder,
    holder: 'osFoundry Rewind, which is removing its history',
    waitMs: 0,
    fs,
  });
  try {
    // The index first: cut off after it, nothing is left that names what is gone. Even before it the list of the osFoundry desktop
    // app: without an index it would be taken over once more.
    for (const file of [paths.importable, ...indexFiles(paths)]) await removeIfThere(fs, file);
    for (const name of await fs.readdir(paths.checkpoints)) {
      const path = join(paths.checkpoints, name);
      // Whoever waits for the lock waits for this very file.
      if (path !== paths.lock) await removeIfThere(fs, path);
    }
  } catch (error) {
    throw toIoError(error, 'removing the history');
  } finally {
    lock.release();
  }
}

/** With all that is below; links are removed and not followed. */
async function removeIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    if (!(await fs.lstat(path)).isDirectory()) return await fs.unlink(path);
    for (const name of await fs.readdir(path)) await removeIfThere(fs, join(path, name));
    await fs.rmdir(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
