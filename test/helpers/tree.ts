/** What a whole folder holds, for comparing it byte for byte and mode for mode. */

import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Every path below the folder with its kind, mode and content (base64) or target; git's and our own data aside. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  const walk = async (directory: string, prefix: string): Promise<void> => {
    for (const name of (await readdir(directory)).sort()) {
      if (name === '.git' || name === '.osfoundry') continue;
      const path = join(directory, name);
      const shown = prefix + name;
      const stats = await lstat(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) tree[shown] = `link to ${await readlink(path)}`;
      else if (stats.isDirectory()) {
        tree[shown] = `directory ${mode}`;
        await walk(path, `${shown}/`);
      } else tree[shown] = `file ${mode} ${(await readFile(path)).toString('base64')}`;
    }
  };
  await walk(folder, '');
  return tree;
}
