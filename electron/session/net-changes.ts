/** What a turn came to, path by path: from its first before-state to what it left. */

import { changeBetween } from '../../shared/file-state.ts';
import type { FileChange } from '../../shared/transcript.ts';
import type { CaptureRow } from '../store/types.ts';

/** Sorted by path; a directory only where nothing below it is listed. */
export function netChanges(captures: readonly CaptureRow[]): FileChange[] {
  const changes = captures.flatMap(({ path, pre, post }) => {
    const change = post === null ? null : changeBetween(pre, post);
    return change === null ? [] : [{ path, change, isDirectory: isDirectory(pre) || isDirectory(post) }];
  });
  const parents = new Set<string>();
  for (const { path } of changes) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      parents.add(path.slice(0, cut));
    }
  }
  return changes
    .filter(({ path, isDirectory }) => !(isDirectory && parents.has(path)))
    .map(({ path, change }) => ({ path, change }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const isDirectory = (state: CaptureRow['post']): boolean => state?.kind === 'directory';
