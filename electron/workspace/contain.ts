/** Holds untrusted paths inside the folder: what parseRelPath checks by shape is checked here against the disk. */

import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { RelPath } from '../../shared/ids.ts';
import { parentsOf, parseRelPath } from '../../shared/rel-path.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isMissing, systemFailure } from './system-failure.ts';

/** The part of a workspace that a path is held against. */
export interface Root {
  /** Real, absolute path. */
  readonly root: string;
  readonly fs: FileSystem;
}

const RESERVED_AT_ROOT = ['.git', '.osfoundry'];
const PATH_RULES = { windows: process.platform === 'win32' };

export const absoluteOf = ({ root }: Root, path: RelPath): string => join(root, path);

/**
 * Throws AppError `path-outside-workspace`, `path-reserved`, `path-invalid`, or `folder-not-found` when the folder itself is
 * gone. A path whose deepest parts don't exist is contained when its deepest existing ancestor is.
 */
export async function contain(at: Root, text: string): Promise<RelPath> {
  const path = parseRelPath(text, PATH_RULES);
  await checkRoot(at);
  const reserved = await reservedIdentities(at);
  for (const parent of parentsOf(path)) {
    const stats = await lookUp(at, parent);
    if (stats === null) return path;
    refuseReserved(stats, reserved, path);
    if (stats.isSymbolicLink()) throw linkedParent(path, parent);
    // Nothing can be below a file; what a write makes of that is the write's error.
    if (!stats.isDirectory()) return path;
  }
  const stats = await lookUp(at, path);
  // The path itself may be a symlink: it is read as one, replaced as one, and never followed.
  if (stats !== null) refuseReserved(stats, reserved, path);
  return path;
}

/**
 * The check right before a change: someone may have swapped a directory for a symlink since the path was contained.
 * Throws `path-outside-workspace`, or `path-changed` when a parent went away.
 */
export async function checkParents(at: Root, path: RelPath): Promise<void> {
  await checkRoot(at);
  for (const parent of parentsOf(path)) {
    const stats = await lookUp(at, parent);
    if (stats?.isSymbolicLink()) throw linkedParent(path, parent);
    if (!stats?.isDirectory()) {
      throw new AppError('path-changed', `${parent} went away or changed while ${path} was being changed.`, {
        path,
      });
    }
  }
}

async function checkRoot({ root, fs }: Root): Promise<void> {
  const stats = await fs.lstat(root).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw systemFailure(error, `looking at ${root}`, '');
  });
  if (!stats?.isDirectory()) {
    throw new AppError('folder-not-found', `The folder ${root} is not there any more.`);
  }
}

async function lookUp(at: Root, path: RelPath): Promise<BigIntStats | null> {
  try {
    return await at.fs.lstat(absoluteOf(at, path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw systemFailure(error, `looking at ${path}`, path);
  }
}

const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}`;

/** By device and inode: other spellings of `.git` that the file system takes for the same (`.GIT`, `GIT~1`) are caught too. */
async function reservedIdentities({ root, fs }: Root): Promise<ReadonlySet<string>> {
  const identities = new Set<string>();
  for (const name of RESERVED_AT_ROOT) {
    try {
      identities.add(identityOf(await fs.lstat(join(root, name))));
    } catch (error) {
      if (!isMissing(error)) throw systemFailure(error, `looking at ${name}`, name);
    }
  }
  return identities;
}

function refuseReserved(stats: BigIntStats, reserved: ReadonlySet<string>, path: RelPath): void {
  // Some network file systems know no inode numbers and say 0 for all.
  if (stats.ino !== 0n && reserved.has(identityOf(stats))) {
    throw new AppError(
      'path-reserved',
      `The path ${path} leads into .git or .osfoundry, which is never changed.`,
      {
        path,
      },
    );
  }
}

const linkedParent = (path: RelPath, parent: RelPath): AppError =>
  new AppError(
    'path-outside-workspace',
    `The path ${path} goes through the link ${parent}, which may lead out of the folder.`,
    { path },
  );
