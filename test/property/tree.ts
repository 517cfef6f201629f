/** A whole small folder as a value, read with plain calls, without any code that is under test. */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ABSENT, type FileState, sameState } from '../../shared/file-state.ts';
import { asSha256 } from '../../shared/ids.ts';

export type Tree = ReadonlyMap<string, FileState>;

export function readTree(root: string): Tree {
  const tree = new Map<string, FileState>();
  const walk = (directory: string, prefix: string): void => {
    for (const name of readdirSync(directory).sort()) {
      if (prefix === '' && (name === '.osfoundry' || name === '.git')) continue;
      const absolute = join(directory, name);
      const path = prefix + name;
      const stats = lstatSync(absolute);
      const mode = stats.mode & 0o7777;
      if (stats.isSymbolicLink()) tree.set(path, { kind: 'symlink', target: readlinkSync(absolute) });
      else if (stats.isDirectory()) {
        tree.set(path, { kind: 'directory', mode });
        walk(absolute, `${path}/`);
      } else {
        const bytes = readFileSync(absolute);
        const sha256 = asSha256(createHash('sha256').update(bytes).digest('hex'));
        tree.set(path, { kind: 'content', sha256, bytes: bytes.length, mode });
      }
    }
  };
  walk(root, '');
  return tree;
}

export const at = (tree: Tree, path: string): FileState => tree.get(path) ?? ABSENT;

export const hasBelow = (tree: Tree, path: string): boolean =>
  [...tree.keys()].some((other) => other.startsWith(`${path}/`));

/** What is at the paths that differ, before and after. */
export function differences(before: Tree, after: Tree): Map<string, { before: FileState; after: FileState }> {
  const found = new Map<string, { before: FileState; after: FileState }>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [at(before, path), at(after, path)];
    if (!sameState(old, now)) found.set(path, { before: old, after: now });
  }
  return found;
}

/** Inode and time of change of content: what must not move where nothing changes. */
export function identities(root: string, tree: Tree): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, state] of tree) {
    if (state.kind === 'directory') continue;
    const stats = lstatSync(join(root, path), { bigint: true });
    found.set(path, `${stats.ino} ${stats.mtimeNs}`);
  }
  return found;
}

/** For comparing with a readable difference. */
export const shown = (tree: Tree): Record<string, string> =>
  Object.fromEntries(
    [...tree].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, state]) => [path, shownState(state)]),
  );

export function shownState(state: FileState): string {
  switch (state.kind) {
    case 'content':
      return `${state.sha256.slice(0, 8)} ${state.mode.toString(8)}`;
    case 'directory':
      return `directory ${state.mode.toString(8)}`;
    case 'symlink':
      return `-> ${state.target}`;
    case 'absent':
    case 'skipped':
      return state.kind;
  }
}
