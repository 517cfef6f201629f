/** Real temporary folders, and what a whole folder holds. */

import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Real path of a new empty folder that goes away when the test has ended. */
export const temporaryFolder = (): Promise<string> => folderIn(tmpdir());

/** In memory where the machine has that: for tests that make thousands of files and are not about the disk. */
export const FAST_PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The same there. */
export const fastFolder = (): Promise<string> => folderIn(FAST_PLACE);

async function folderIn(parent: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'rewind-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export { treeOf } from './tree.ts';
