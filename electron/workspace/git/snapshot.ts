/** What a git repository points at, read from the files under `.git`: git itself is never run, and nothing is written. */

import { lstat, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { indexMark } from './index-mark.ts';

export interface GitSnapshot {
  /** `refs/heads/main`, or null when HEAD names a commit itself. */
  readonly branch: string | null;
  /** The commit that HEAD leads to; null in a repository without commits. */
  readonly commit: string | null;
  /** Branches, tags and the stash by their full names. */
  readonly refs: ReadonlyMap<string, string>;
  /** Tells what is staged from what was; null when there is no index. */
  readonly index: string | null;
}

const OBJECT_NAME = /^[0-9a-f]{40,64}$/;
const REF_FOLDERS = ['refs/heads', 'refs/tags'];
const STASH = 'refs/stash';

/** null where there is no repository. What can't be read is as if it were not there: it is only for showing. */
export async function snapshotGit(root: string): Promise<GitSnapshot | null> {
  const own = await gitFolderOf(root);
  if (own === null) return null;
  const head = (await textOf(join(own, 'HEAD')))?.trim();
  if (head === undefined) return null;
  const common = await commonFolderOf(own);
  const refs = await refsOf(common);
  const branch = head.startsWith('ref: ') ? head.slice('ref: '.length) : null;
  const commit = branch === null ? head : refs.get(branch);
  return {
    branch,
    commit: commit !== undefined && OBJECT_NAME.test(commit) ? commit : null,
    refs,
    index: await markOf(join(own, 'index')),
  };
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
async function gitFolderOf(root: string): Promise<string | null> {
  const path = join(root, '.git');
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory() === true) return path;
  if (stats?.isFile() !== true) return null;
  const folder = /^gitdir: (.+)$/m.exec((await textOf(path)) ?? '')?.[1]?.trim();
  return folder === undefined ? null : resolve(root, folder);
}

/** Worktrees share their branches. */
async function commonFolderOf(own: string): Promise<string> {
  const common = (await textOf(join(own, 'commondir')))?.trim();
  if (common === undefined || common === '') return own;
  return isAbsolute(common) ? common : resolve(own, common);
}

async function refsOf(common: string): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  for (const line of ((await textOf(join(common, 'packed-refs'))) ?? '').split('\n')) {
    const [object = '', name = ''] = line.split(' ');
    const isShown = name === STASH || REF_FOLDERS.some((folder) => name.startsWith(`${folder}/`));
    if (OBJECT_NAME.test(object) && isShown) refs.set(name, object);
  }
  // A loose one is newer than a packed one.
  const names = [
    STASH,
    ...(await Promise.all(REF_FOLDERS.map((folder) => namesBelow(common, folder)))).flat(),
  ];
  for (const name of names) {
    const object = (await textOf(join(common, name)))?.trim() ?? '';
    if (OBJECT_NAME.test(object)) refs.set(name, object);
  }
  return refs;
}

async function namesBelow(common: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(common, folder), { withFileTypes: true }).catch(() => []);
  const names = await Promise.all(
    entries.map((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.isDirectory() ? namesBelow(common, name) : [name];
    }),
  );
  return names.flat();
}

async function markOf(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : indexMark(bytes);
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
