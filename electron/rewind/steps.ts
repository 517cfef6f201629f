/** Puts the changes of a plan into an order in which each one is possible. Pure. */

import { ABSENT, type FileState } from '../../shared/file-state.ts';
import type { RelPath } from '../../shared/ids.ts';
import { depthOf } from '../../shared/rel-path.ts';
import type { PlanItem } from '../../shared/rewind.ts';

type Put = Extract<FileState, { kind: 'content' | 'symlink' }>;

export type Step =
  | { readonly do: 'remove'; readonly path: RelPath; readonly expect: FileState }
  | { readonly do: 'remove-directory'; readonly path: RelPath; readonly mode: number }
  | { readonly do: 'create-directory'; readonly path: RelPath; readonly mode: number }
  | { readonly do: 'put'; readonly path: RelPath; readonly state: Put; readonly expect: FileState }
  | { readonly do: 'set-mode'; readonly path: RelPath; readonly mode: number; readonly expect: FileState }
  | {
      readonly do: 'set-directory-mode';
      readonly path: RelPath;
      readonly mode: number;
      readonly from: number;
    };

/** What is written into a new directory needs its owner's permission; its own mode comes last. */
const OWNER_MAY_WRITE = 0o700;

/**
 * What goes away makes room first (deepest first), then directories come (outermost first), then what they hold, and last
 * the modes of directories, which may forbid to write in them. An item of two steps fails with its first one.
 */
export function stepsOf(items: readonly (PlanItem & { readonly path: RelPath })[]): Step[] {
  const steps = items.flatMap(stepsOfItem);
  const of = (kind: Step['do'], order: 'deepest first' | 'outermost first'): Step[] =>
    steps
      .filter((step) => step.do === kind)
      .sort((a, b) => (depthOf(a.path) - depthOf(b.path)) * (order === 'deepest first' ? -1 : 1));
  return [
    ...of('remove', 'deepest first'),
    ...of('remove-directory', 'deepest first'),
    ...of('create-directory', 'outermost first'),
    ...of('put', 'outermost first'),
    ...of('set-mode', 'outermost first'),
    ...of('set-directory-mode', 'deepest first'),
  ];
}

function stepsOfItem({ path, wanted, present }: PlanItem & { readonly path: RelPath }): Step[] {
  if (wanted.kind === 'skipped' || present.kind === 'skipped') return [];
  if (present.kind === 'directory' && wanted.kind === 'directory') {
    return [{ do: 'set-directory-mode', path, mode: wanted.mode, from: present.mode }];
  }
  if (present.kind === 'content' && wanted.kind === 'content' && present.sha256 === wanted.sha256) {
    return [{ do: 'set-mode', path, mode: wanted.mode, expect: present }];
  }
  const steps: Step[] = [];
  if (present.kind === 'directory') steps.push({ do: 'remove-directory', path, mode: present.mode });
  else if (present.kind !== 'absent' && (wanted.kind === 'absent' || wanted.kind === 'directory')) {
    steps.push({ do: 'remove', path, expect: present });
  }
  if (wanted.kind === 'directory') {
    const mode = wanted.mode | OWNER_MAY_WRITE;
    steps.push({ do: 'create-directory', path, mode });
    if (mode !== wanted.mode) steps.push({ do: 'set-directory-mode', path, mode: wanted.mode, from: mode });
  } else if (wanted.kind !== 'absent') {
    steps.push({
      do: 'put',
      path,
      state: wanted,
      expect: present.kind === 'directory' ? ABSENT : present,
    });
  }
  return steps;
}
