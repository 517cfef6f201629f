/**
 * On a disk that ignores case, a file is found under every spelling of its path. After a rename from `a.txt` to `A.txt` the history
 * has both, and a plan that took the one file for two would put back the first and then delete it as the second.
 */

import { join } from 'node:path';
import type { RelPath } from '../../shared/ids.ts';
import { parentsOf } from '../../shared/rel-path.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import type { Workspace } from '../workspace/types.ts';

export class Spellings {
  readonly #workspace: Workspace;
  /** Paths that differ from another one of the plan in case or composition only. */
  readonly #doubtful: ReadonlySet<RelPath>;

  constructor(workspace: Workspace, paths: readonly RelPath[]) {
    this.#workspace = workspace;
    const groups = new Map<string, RelPath[]>();
    for (const path of paths) {
      const folded = path.normalize('NFC').toLowerCase();
      groups.set(folded, [...(groups.get(folded) ?? []), path]);
    }
    this.#doubtful = new Set([...groups.values()].filter(({ length }) => length > 1).flat());
  }

  /** Whether what is found at the path has another spelling on disk. */
  async isAnother(path: RelPath): Promise<boolean> {
    if (!this.#doubtful.has(path)) return false;
    for (const part of [...parentsOf(path), path]) {
      const end = part.lastIndexOf('/');
      const names = await namesIn(this.#workspace, part.slice(0, Math.max(end, 0)));
      if (!names.includes(part.slice(end + 1))) return true;
    }
    return false;
  }
}

/** None where no directory stands (any more). */
export async function namesIn({ root, fs }: Workspace, directory: string): Promise<string[]> {
  try {
    return await fs.readdir(join(root, directory));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw toIoError(error, `listing ${directory}`);
  }
}
