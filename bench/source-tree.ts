/** Makes folders of many real source files out of the packages that are installed here. */

import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LEFT_OUT_FOLDERS } from '../electron/workspace/left-out.ts';

const INSTALLED = fileURLToPath(new URL('../node_modules', import.meta.url));
const SOURCE_NAME = /\.([cm]?[jt]s|tsx|json|md|css)$/;
/** Nobody writes larger sources by hand: these are bundles. */
const MOST_BYTES = 200 * 1024;
const AT_ONCE = 16;

export interface SourceTree {
  readonly root: string;
  /** Relative paths of all files. */
  readonly files: readonly string[];
}

/** The installed sources, as often as it takes; no two copies of a file have the same bytes. */
export async function makeSourceTree(root: string, count: number): Promise<SourceTree> {
  const sources = await sourcesIn(INSTALLED, '');
  const files: string[] = [];
  for (let index = 0; index < count; index += 1) {
    files.push(
      `copy-${Math.floor(index / sources.length)}/${coveredPath(sources[index % sources.length] ?? '')}`,
    );
  }
  for (const directory of new Set(files.map((file) => dirname(file)))) {
    await mkdir(join(root, directory), { recursive: true });
  }
  for (let start = 0; start < count; start += AT_ONCE) {
    await Promise.all(
      files.slice(start, start + AT_ONCE).map(async (file, offset) => {
        const index = start + offset;
        const bytes = await readFile(join(INSTALLED, sources[index % sources.length] ?? ''));
        await writeFile(join(root, file), Buffer.concat([bytes, Buffer.from(`\n// ${index}\n`)]));
      }),
    );
  }
  return { root, files };
}

/** Folders of these names would be left out of ours and not of the peer's. */
const coveredPath = (path: string): string =>
  path
    .split('/')
    .map((name) => (LEFT_OUT_FOLDERS.includes(name) ? `${name}-sources` : name))
    .join('/');

async function sourcesIn(folder: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) found.push(...(await sourcesIn(join(folder, entry.name), `${path}/`)));
    else if (entry.isFile() && SOURCE_NAME.test(entry.name)) {
      if ((await lstat(join(folder, entry.name))).size <= MOST_BYTES) found.push(path);
    }
  }
  return found.sort();
}
