/**
 * The file-system calls that the store and the funnel make, behind one small delegate: tests replace it to inject
 * faults, to kill the process at any call, and to drop what was not synced.
 */

import { execFile } from 'node:child_process';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import { promisify } from 'node:util';

export interface FileSystem {
  open(path: string, flags: string | number, mode?: number): Promise<FileHandle>;
  lstat(path: string): Promise<BigIntStats>;
  readlink(path: string): Promise<string>;
  readdir(path: string): Promise<string[]>;
  realpath(path: string): Promise<string>;
  mkdir(path: string, mode?: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, created: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /**
   * Syncs everything written to the file system that holds the path: one call for thousands of files. False where the
   * platform has no such call; then each file has to be synced.
   */
  syncFileSystem(path: string): Promise<boolean>;
}

export const nodeFileSystem: FileSystem = {
  open: (path, flags, mode) => fs.open(path, flags, mode),
  lstat: (path) => fs.lstat(path, { bigint: true }),
  readlink: (path) => fs.readlink(path),
  readdir: (path) => fs.readdir(path),
  realpath: (path) => fs.realpath(path),
  mkdir: async (path, mode) => {
    await fs.mkdir(path, mode);
  },
  rmdir: (path) => fs.rmdir(path),
  unlink: (path) => fs.unlink(path),
  rename: (from, to) => fs.rename(from, to),
  link: (existing, created) => fs.link(existing, created),
  symlink: (target, path) => fs.symlink(target, path),
  chmod: (path, mode) => fs.chmod(path, mode),
  syncFileSystem,
};

/** Node has no syncfs(2); coreutils and busybox have it as a program. */
async function syncFileSystem(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await promisify(execFile)('sync', ['-f', path]);
    return true;
  } catch {
    return false;
  }
}
