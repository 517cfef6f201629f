/** Removes a folder's history for good. The person's files stay as they are. */

import { rm } from 'node:fs/promises';
import { toIoError } from '../base/io-errors.ts';
import { storePaths } from './store-folder.ts';

/** The store must be closed. Throws AppError `io-failed`. */
export async function forgetStore(root: string): Promise<void> {
  try {
    await rm(storePaths(root).checkpoints, { recursive: true, force: true });
  } catch (error) {
    throw toIoError(error, 'removing the history');
  }
}
