/** Walks the files of a folder for an agent that looks around: sorted, without following links, and without what is left out. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isReservedName } from '../../../shared/rel-path.ts';
import { isLeftOut, type LeftOut } from '../left-out.ts';

export interface WalkedPath {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink';
}

export interface WalkOptions {
  readonly root: string;
  /** Where to begin; '' is the folder itself. */
  readonly from: string;
  readonly leftOut: LeftOut;
  readonly signal: AbortSignal;
}

/** Throws AppError `cancelled`. Directories that can't be read are passed over. */
export async function* walk({ root, from, leftOut, signal }: WalkOptions): AsyncGenerator<WalkedPath> {
  const entries = await readdir(join(root, from), { withFileTypes: true }).catch((): Dirent[] => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (signal.aborted) throw new AppError('cancelled', 'Looking around was stopped.');
    // A name that is no UTF-8 can't be asked for.
    if (isReservedName(entry.name) || entry.name.includes('\uFFFD')) continue;
    const path = from === '' ? entry.name : `${from}/${entry.name}`;
    if (entry.isSymbolicLink()) yield { path, kind: 'symlink' };
    else if (entry.isFile()) yield { path, kind: 'file' };
    else if (entry.isDirectory()) {
      yield { path, kind: 'directory' };
      if (!isLeftOut(path, leftOut)) yield* walk({ root, from: path, leftOut, signal });
    }
  }
}
