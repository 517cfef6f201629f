/** What a git repository points at, read from the files under `.git`: git itself is never run, and nothing is written. */

import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readGitFile, readGitFileEnd } from './git-file.ts';
import { type IndexMark, markIndex } from './index-mark.ts';
import { isRefName, type ObjectName, objectNameIn } from './names.ts';

export interface GitSnapshot {
  /** Where HEAD and the index are. */
  readonly gitFolder: string;
  /** `refs/heads/main`, or null when HEAD names a commit itself. */
  readonly branch: string | null;
  /** The commit that HEAD leads to; null in a repository without commits. */
  readonly commit: ObjectName | null;
  /** Branches and tags by their full names. */
  readonly refs: ReadonlyMap<string, ObjectName>;
  /** Oldest first. */
  readonly stashes: readonly ObjectName[];
  /** Tells what is staged from what was; null when there is no index. */
  readonly index: IndexMark | null;
  /** What git wrote down of moves of HEAD, as far as it is kept here, and how long the whole record is. */
  readonly headLog: { readonly end: string; readonly bytes: number };
  /** Tells a repository that keeps its branches in tables, which are not read, from a changed one; null for all others. */
  readonly tables: string | null;
}

const REF_FOLDERS = ['refs/heads', 'refs/tags'];
/** More than anybody has; a folder may be made to keep us busy. */
const MOST_LOOSE_REFS = 20_000;

/**
 * Also of a repository that the folder is only a part of. null where there is none. What can't be read is as if it were
 * not there: it is only for showing.
 */
export async function snapshotGit(root: string): Promise<GitSnapshot | null> {
  const own = await gitFolderOf(root);
  const head = own === null ? null : await readText(join(own, 'HEAD'));
  if (own === null || head === null) return null;
  const common = await commonFolderOf(own);
  const refs = await refsOf(common);
  const named = /^ref: (\S+)$/.exec(head)?.[1];
  const branch = named !== undefined && isRefName(named) ? named : null;
  const commit = branch === null ? objectNameIn(head) : (refs.get(branch) ?? null);
  return {
    gitFolder: own,
    branch,
    commit,
    refs,
    stashes: await stashesOf(common),
    index: await markIndex(join(own, 'index'), commit),
    headLog: await readGitFileEnd(join(own, 'logs', 'HEAD')),
    tables: await readText(join(common, 'reftable', 'tables.list')),
  };
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
async function gitFolderOf(folder: string): Promise<string | null> {
  const path = join(folder, '.git');
  if ((await readText(join(path, 'HEAD'))) !== null) return path;
  const other = /^gitdir: (.+)$/m.exec((await readText(path)) ?? '')?.[1];
  if (other !== undefined) return resolve(folder, other);
  const parent = dirname(folder);
  return parent === folder ? null : gitFolderOf(parent);
}

/** Worktrees share their branches. */
async function commonFolderOf(own: string): Promise<string> {
  const common = await readText(join(own, 'commondir'));
  return common === null || common === '' ? own : resolve(own, common);
}

async function refsOf(common: string): Promise<Map<string, ObjectName>> {
  const refs = new Map<string, ObjectName>();
  const add = (name: string, text: string): void => {
    const object = objectNameIn(text);
    if (object !== null && isRefName(name)) refs.set(name, object);
  };
  for (const line of ((await readText(join(common, 'packed-refs'))) ?? '').split('\n')) {
    const [object = '', name = ''] = line.split(' ');
    if (REF_FOLDERS.some((folder) => name.startsWith(`${folder}/`))) add(name, object);
  }
  // A loose one is newer than a packed one.
  const names: string[] = [];
  for (const folder of REF_FOLDERS) await addNamesBelow(common, folder, names);
  for (const name of names) add(name, (await readText(join(common, name))) ?? '');
  return refs;
}

async function addNamesBelow(common: string, folder: string, names: string[]): Promise<void> {
  for (const entry of await readdir(join(common, folder), { withFileTypes: true }).catch(() => [])) {
    if (names.length === MOST_LOOSE_REFS) return;
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await addNamesBelow(common, name, names);
    else if (entry.isFile()) names.push(name);
  }
}

/** All but the newest are only in its log. */
async function stashesOf(common: string): Promise<ObjectName[]> {
  const log = (await readText(join(common, 'logs', 'refs', 'stash'))) ?? '';
  const stashes = log.split('\n').flatMap((line) => objectNameIn(line.split(' ')[1] ?? '') ?? []);
  const newest = objectNameIn((await readText(join(common, 'refs', 'stash'))) ?? '');
  if (newest === null) return [];
  return stashes.includes(newest) ? stashes : [...stashes, newest];
}

const readText = async (path: string): Promise<string | null> =>
  (await readGitFile(path))?.toString('utf8').trim() ?? null;
