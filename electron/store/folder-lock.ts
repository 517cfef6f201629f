/**
 * One writer process a folder. The lock is the system's own and goes when its process ends, however it ends, so there is no stale lock
 * to judge and no reused process id to be wrong about. Beside it stands, in words, who holds it.
 */

import { constants } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../shared/errors.ts';
import type { FileSystem } from '../base/file-system.ts';
import { FileLock } from './db.ts';
import { isBusy, isDamage, toStoreError } from './errors.ts';
import { OWN_FILE_FLAGS } from './store-folder.ts';

const RETRY_EVERY_MS = 50;
const LONGEST_HOLDER = 200;

export interface LockOptions {
  readonly path: string;
  readonly holderPath: string;
  /** For the next one: "the osFoundry Rewind window". */
  readonly holder: string;
  readonly waitMs: number;
  readonly fs: FileSystem;
}

/** Throws store-locked, with the holder's words, when the lock is not free within `waitMs`. */
export async function takeLock(options: LockOptions): Promise<FileLock> {
  const deadlineMs = performance.now() + options.waitMs;
  for (;;) {
    const lock = await lockIfFree(options);
    if (lock !== null) {
      await tellHolder(options);
      return lock;
    }
    if (performance.now() >= deadlineMs) throw await lockedError(options);
    await wait(RETRY_EVERY_MS);
  }
}

async function lockIfFree(options: LockOptions): Promise<FileLock | null> {
  try {
    return FileLock.take(options.path);
  } catch (error) {
    if (isBusy(error)) return null;
    if (!isDamage(error)) throw toStoreError(error, 'taking the lock of the folder');
  }
  await empty(options);
  return lockIfFree(options);
}

/**
 * Text of another program, or planted: nothing but a lock is ever kept there. Emptied in place, because a file that took its
 * place could be locked by us while another process goes on to lock the old one.
 */
async function empty({ fs, path }: LockOptions): Promise<void> {
  const handle = await fs.open(path, constants.O_WRONLY | constants.O_TRUNC | OWN_FILE_FLAGS);
  await handle.close();
}

async function tellHolder({ holderPath, holder, fs }: LockOptions): Promise<void> {
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | OWN_FILE_FLAGS;
    const handle = await fs.open(holderPath, flags, 0o600);
    try {
      await handle.writeFile(`${holder} (process ${process.pid})`);
    } finally {
      await handle.close();
    }
  } catch {
    // The lock is as good without the words. Those of an earlier holder would be wrong.
    await fs.unlink(holderPath).catch(() => undefined);
  }
}

async function lockedError({ holderPath, fs }: LockOptions): Promise<AppError> {
  let holder = '';
  try {
    const handle = await fs.open(holderPath, constants.O_RDONLY | OWN_FILE_FLAGS);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_HOLDER), 0, LONGEST_HOLDER, 0);
      holder = buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // Without the words the lock is as good.
  }
  return new AppError(
    'store-locked',
    `This folder is in use by ${holder === '' ? 'another program' : holder}. Close it there, or wait until it is done, and try again.`,
  );
}
