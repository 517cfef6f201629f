/** Real temporary folders, and what a whole folder holds. */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Real path of a new empty folder that goes away when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rewind-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export { treeOf } from './tree.ts';
