/** What stands at the path of a row now. Rows are as untrusted as any input: anybody may have edited the index. */

import { AppError } from '../../shared/errors.ts';
import type { FileState } from '../../shared/file-state.ts';
import type { Workspace } from '../workspace/types.ts';

const UNTOUCHABLE = new Set(['path-outside-workspace', 'path-reserved', 'path-invalid']);

/** null when the path may not be touched. */
export async function presentState(workspace: Workspace, path: string): Promise<FileState | null> {
  try {
    const contained = await workspace.contain(path);
    // A row that spells its path in another way was not made by us.
    return contained === path ? await workspace.stateOf(contained, null) : null;
  } catch (error) {
    if (error instanceof AppError && UNTOUCHABLE.has(error.code)) return null;
    throw error;
  }
}
