/** Removes a folder's history for good. The person's files stay as they are. */

import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nodeFileSystem } from '../base/file-system.ts';
import { toIoError } from '../base/io-errors.ts';
import { takeLock } from './folder-lock.ts';
import { prepareFolders, storePaths } from './store-folder.ts';

/** The store must be closed. Throws AppError `store-locked`, `store-untrusted`, `folder-read-only` or `io-failed`. */
export async function forgetStore(root: string): Promise<void> {
  const paths = storePaths(root);
  await prepareFolders(nodeFileSystem, root, paths);
  const lock = await takeLock({
    path: paths.lock,
    holderPath: paths.lockHolder,
    holder: 'osFoundry Rewind, which is removing its history',
    waitMs: 0,
    fs: nodeFileSystem,
  });
  try {
    for (const name of await readdir(paths.checkpoints)) {
      // Whoever waits for the lock waits for this very file.
      if (name === basename(paths.lock)) continue;
      await rm(join(paths.checkpoints, name), { recursive: true, force: true });
    }
  } catch (error) {
    throw toIoError(error, 'removing the history');
  } finally {
    lock.release();
  }
}
