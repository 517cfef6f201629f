/** Makes what was written survive a power loss: synced directories, and whole files that appear at once. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** A name in a directory is durable only once the directory is synced. Windows has no such call and needs none. */
export async function syncDirectory(fs: FileSystem, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates or replaces a file so that at any moment, also after a power loss, it is old or new as a whole. */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  content: Uint8Array | string,
  mode: number,
): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await fs.open(temporary, 'wx', mode);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(temporary, path);
  } catch (error) {
    // The first error is the one to tell; a file left over is removed by the next opening.
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncDirectory(fs, dirname(path));
}
