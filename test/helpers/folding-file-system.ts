/** A FileSystem that finds names whatever their case, as macOS and Windows do, over one folder of a disk that does not. */

import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { FileSystem } from '../../electron/base/file-system.ts';

/** `aliases`: further names of entries, as Windows gives short ones (`GIT~1`). */
export function foldingFileSystem(
  base: FileSystem,
  root: string,
  aliases: Readonly<Record<string, string>> = {},
): FileSystem {
  /** The spelling on disk; as it is from the first part on that nobody finds. */
  const found = (path: string): string => {
    const way = relative(root, path);
    if (way === '' || way.startsWith('..')) return path;
    return way
      .split(sep)
      .reduce((parent, name) => join(parent, spelling(parent, aliases[name] ?? name)), root);
  };
  return {
    ...base,
    open: (path, flags, mode) => base.open(found(path), flags, mode),
    lstat: (path) => base.lstat(found(path)),
    readlink: (path) => base.readlink(found(path)),
    readdir: (path) => base.readdir(found(path)),
    realpath: (path) => base.realpath(found(path)),
    mkdir: (path, mode) => base.mkdir(found(path), mode),
    rmdir: (path) => base.rmdir(found(path)),
    unlink: (path) => base.unlink(found(path)),
    symlink: (target, path) => base.symlink(target, found(path)),
    chmod: (path, mode) => base.chmod(found(path), mode),
    link: (existing, created) => base.link(found(existing), found(created)),
    rename: (from, to) => {
      const source = found(from);
      const target = found(to);
      // The same entry under another case gets the new spelling; another file keeps its own.
      return base.rename(
        source,
        source === target ? join(dirname(target), relative(dirname(to), to)) : target,
      );
    },
  };
}

function spelling(directory: string, name: string): string {
  const names = namesIn(directory);
  if (names.includes(name)) return name;
  return names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
