/**
 * One writer process a folder. The lock is the system's own and goes when its process ends, however it ends, so there is no stale lock
 * to judge and no reused process id to be wrong about. Beside it stands, in words, who holds it.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../shared/errors.ts';
import type { FileSystem } from '../base/file-system.ts';
import { FileLock } from './db.ts';
import { isBusy, isDamage, toStoreError } from './errors.ts';

const RETRY_EVERY_MS = 50;

export interface LockOptions {
  readonly path: string;
  /** For the next one: "the osFoundry Rewind window". */
  readonly holder: string;
  readonly waitMs: number;
  readonly fs: FileSystem;
}

/** Throws store-locked, with the holder's words, when the lock is not free within `waitMs`. */
export async function takeLock(options: LockOptions): Promise<FileLock> {
  const deadlineMs = performance.now() + options.waitMs;
  for (;;) {
    try {
      const lock = FileLock.take(options.path);
      await tellHolder(options);
      return lock;
    } catch (error) {
      if (isDamage(error)) {
        // Left by another program or planted: nothing but a lock is ever kept there.
        await options.fs.unlink(options.path);
      } else if (!isBusy(error)) {
        throw toStoreError(error, 'taking the lock of the folder');
      } else if (performance.now() >= deadlineMs) {
        throw await lockedError(options);
      } else {
        await wait(RETRY_EVERY_MS);
      }
    }
  }
}

const holderPath = (path: string): string => `${path}-holder`;

async function tellHolder({ path, holder, fs }: LockOptions): Promise<void> {
  const handle = await fs.open(holderPath(path), 'w', 0o600);
  try {
    await handle.writeFile(`${holder} (process ${process.pid})`);
  } finally {
    await handle.close();
  }
}

async function lockedError({ path, fs }: LockOptions): Promise<AppError> {
  let holder = '';
  try {
    const handle = await fs.open(holderPath(path), 'r');
    holder = await handle.readFile('utf8').finally(() => handle.close());
  } catch {
    // Without the words the lock is as good.
  }
  const who = holder === '' ? 'another program' : holder.slice(0, 200);
  return new AppError(
    'store-locked',
    `This folder is in use by ${who}. Close it there, or wait until it is done, and try again.`,
  );
}
