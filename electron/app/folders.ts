/** Looks at the history that a folder brings before it is opened, and moves it aside when the person says so. */

import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { nodeFileSystem } from '../base/file-system.ts';
import { openStore } from '../store/index.ts';
import type { FoundHistory } from './workspaces.ts';

const HISTORY_FOLDER = '.osfoundry';

/** Opens for reading only: a history that someone else made must not be migrated or repaired before the person agrees. */
export async function findHistory(root: string): Promise<FoundHistory | null> {
  if (!(await isThere(join(root, HISTORY_FOLDER, 'checkpoints')))) return null;
  try {
    const store = await openStore({ root, access: 'read' });
    try {
      return { storeId: store.storeId, turns: store.stats().turns };
    } finally {
      store.close();
    }
  } catch (error) {
    // The person can't decide this one: the app has to be updated.
    if (error instanceof AppError && error.code === 'store-newer-format') throw error;
    return { storeId: null, turns: null };
  }
}

/** Leaves the history beside its place, under a name that no version of the app reads. */
export async function setHistoryAside(root: string, clock: Clock): Promise<void> {
  const stamp = new Date(clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-');
  await nodeFileSystem.rename(join(root, HISTORY_FOLDER), join(root, `${HISTORY_FOLDER}.set-aside-${stamp}`));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await nodeFileSystem.lstat(path);
    return true;
  } catch {
    return false;
  }
}
