/** What lists of changed paths have in common: how many files they count, and facts that hold for each of them. Pure. */

import type { CaptureSummary } from '../../shared/history.ts';

/** Lists are long and drawn often; an entry that changes comes as a new list. */
const counts = new WeakMap<readonly CaptureSummary[], number>();

/** How many files an entry changed. A folder counts only where nothing below it is listed. */
export function countFiles(captures: readonly CaptureSummary[]): number {
  const known = counts.get(captures);
  if (known !== undefined) return known;
  const changed = captures.filter(({ change }) => change !== null);
  const parents = new Set(changed.flatMap(({ path }) => foldersAbove(path)));
  const count = changed.filter((capture) => !isFolder(capture) || !parents.has(capture.path)).length;
  counts.set(captures, count);
  return count;
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

export const pathOf = ({ path }: { readonly path: string }): string => path;

export function isFolder({ pre, post }: Pick<CaptureSummary, 'pre' | 'post'>): boolean {
  return pre.kind === 'directory' || post?.kind === 'directory';
}

/** Marks that each of several items carries: said once, they need not stand in every row. */
export function sharedMarks(items: readonly { readonly marks: readonly string[] }[]): readonly string[] {
  const [first, ...others] = items;
  if (first === undefined || others.length === 0) return [];
  return first.marks.filter((mark) => others.every(({ marks }) => marks.includes(mark)));
}

export const without = (marks: readonly string[], shared: readonly string[]): readonly string[] =>
  marks.filter((mark) => !shared.includes(mark));
