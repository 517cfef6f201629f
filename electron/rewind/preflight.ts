/** Finds out before the first change what would not work: files that are locked, folders without permission, too little space. */

import { constants } from 'node:fs';
import { access, lstat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { RelPath } from '../../shared/ids.ts';
import { parentsOf } from '../../shared/rel-path.ts';
import { toIoError } from '../base/io-errors.ts';
import type { Step } from './steps.ts';
import type { Folder } from './types.ts';

/** Room for the index and its log beside what is known. */
const SPARE_BYTES = 4 * 1024 * 1024;

/** Paths that can't be changed, with the reason. */
export async function blockedPaths(
  { workspace }: Folder,
  steps: readonly Step[],
): Promise<Map<RelPath, string>> {
  const known = new Map<string, Promise<Problem>>();
  const problemAt = (path: RelPath | '', change: Change): Promise<Problem> => {
    const key = `${change} ${path}`;
    const found = known.get(key) ?? lookForProblem(join(workspace.root, path), path || 'the folder', change);
    known.set(key, found);
    return found;
  };
  const blocked = new Map<RelPath, string>();
  for (const step of steps) {
    const problem = (await problemOfParent(step, problemAt)) ?? (await problemOfItself(step, problemAt));
    if (problem !== null) blocked.set(step.path, problem);
  }
  return blocked;
}

type Change = 'entries' | 'content' | 'mode';
/** In words; `missing` when nothing is there, null when all is well. */
type Problem = string | null;
const MISSING = 'missing';
type ProblemAt = (path: RelPath | '', change: Change) => Promise<Problem>;

async function problemOfParent(step: Step, problemAt: ProblemAt): Promise<Problem> {
  if (step.do === 'set-mode' || step.do === 'set-directory-mode') return null;
  // The deepest parent that exists is the one whose entries change.
  for (const parent of ['' as const, ...parentsOf(step.path)].reverse()) {
    const problem = await problemAt(parent, 'entries');
    if (problem !== MISSING) return problem;
  }
  return null;
}

async function problemOfItself(step: Step, problemAt: ProblemAt): Promise<Problem> {
  const problem = await (() => {
    switch (step.do) {
      case 'create-directory':
        return null;
      case 'set-mode':
      case 'set-directory-mode':
        return problemAt(step.path, 'mode');
      case 'remove-directory':
        return problemAt(step.path, 'content');
      case 'remove':
      case 'put':
        // A link is replaced as it is; the system would answer for what it points to.
        return step.expect.kind === 'content' ? problemAt(step.path, 'content') : null;
    }
  })();
  return problem === MISSING ? null : problem;
}

/** The system itself is asked: it knows of immutable files, read-only mounts and access lists. Changes nothing. */
async function lookForProblem(absolute: string, shown: string, change: Change): Promise<Problem> {
  try {
    await access(absolute, change === 'entries' ? constants.W_OK | constants.X_OK : constants.W_OK);
    return null;
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'ENOENT':
      case 'ENOTDIR':
        return MISSING;
      case 'EPERM':
        return `${shown} is locked against changes (immutable)`;
      case 'EROFS':
        return `${shown} is on a disk that can only be read`;
      case 'EACCES':
        // A read-only file is replaced all the same, and what is our own can be opened up.
        return change === 'content' || (await isOwn(absolute)) ? null : `no permission to change ${shown}`;
      default:
        return null;
    }
  }
}

/** What went away meanwhile is the change's error to tell. */
const isOwn = async (absolute: string): Promise<boolean> => {
  const stats = await lstat(absolute).catch(() => null);
  return stats === null || stats.uid === process.geteuid?.();
};

/** Throws AppError `disk-full` when what is written and what is kept for the way back need more than there is. */
export async function checkSpace({ store, workspace }: Folder, steps: readonly Step[]): Promise<void> {
  let neededBytes = SPARE_BYTES;
  for (const step of steps) {
    if (step.do === 'put' && step.state.kind === 'content') neededBytes += step.state.bytes;
    if ((step.do === 'put' || step.do === 'remove') && step.expect.kind === 'content') {
      if (!store.hasBlob(step.expect.sha256)) neededBytes += step.expect.bytes;
    }
  }
  const { bavail, bsize } = await statfs(workspace.root).catch((error: unknown) => {
    throw toIoError(error, 'asking for the space that is left');
  });
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MB`;
  throw new AppError(
    'disk-full',
    `Nothing was changed: going back needs ${megabytes(neededBytes)} of space, and the disk has ${megabytes(freeBytes)} left.`,
  );
}
