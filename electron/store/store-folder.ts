/** The folder of the store: made with tight permissions, and looked at before it is trusted (it may have been planted). */

import { constants } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { syncDirectory } from '../base/durable-files.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';

export const FORMAT_VERSION = 1;

const formatSchema = z.object({ format: z.literal('osfoundry-checkpoints'), version: z.int().min(1) });

export interface StorePaths {
  readonly home: string;
  readonly checkpoints: string;
  readonly blobs: string;
  readonly temporary: string;
  readonly format: string;
  readonly index: string;
  readonly lock: string;
  readonly importable: string;
}

export function storePaths(root: string): StorePaths {
  const home = join(root, '.osfoundry');
  const checkpoints = join(home, 'checkpoints');
  return {
    home,
    checkpoints,
    blobs: join(checkpoints, 'blobs'),
    temporary: join(checkpoints, 'tmp'),
    format: join(checkpoints, 'format.json'),
    index: join(checkpoints, 'index.sqlite'),
    lock: join(checkpoints, 'lock'),
    importable: join(checkpoints, 'index.json'),
  };
}

/** Makes what is missing. Throws AppError `store-untrusted`, `store-newer-format`, `folder-read-only`. */
export async function prepareStoreFolder(fs: FileSystem, paths: StorePaths): Promise<void> {
  try {
    for (const folder of [paths.home, paths.checkpoints, paths.blobs, paths.temporary]) {
      await makeFolder(fs, folder);
      await checkFolder(fs, folder);
    }
    await writeIfMissing(fs, join(paths.home, '.gitignore'), '*\n');
    await writeIfMissing(
      fs,
      paths.format,
      `${JSON.stringify({ format: 'osfoundry-checkpoints', version: FORMAT_VERSION })}\n`,
    );
    await syncDirectory(fs, paths.checkpoints);
  } catch (error) {
    if (isSystemError(error, 'EROFS', 'EACCES', 'EPERM')) {
      throw new AppError(
        'folder-read-only',
        'The history of this folder can only be looked at: the folder is read-only for you.',
        { cause: error },
      );
    }
    throw toIoError(error, 'opening the history');
  }
  await checkFormat(fs, paths.format);
}

/** For reading: false when there is no store yet. */
export async function isStoreThere(fs: FileSystem, paths: StorePaths): Promise<boolean> {
  try {
    for (const folder of [paths.home, paths.checkpoints, paths.blobs]) await checkFolder(fs, folder);
    await fs.lstat(paths.index);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
    throw toIoError(error, 'reading the history');
  }
  await checkFormat(fs, paths.format);
  return true;
}

async function makeFolder(fs: FileSystem, folder: string): Promise<void> {
  await fs.mkdir(folder, 0o700).catch((error: unknown) => {
    if (!isSystemError(error, 'EEXIST')) throw error;
  });
}

/** A link would lead our writes elsewhere, and another owner could change what we read between check and use. */
async function checkFolder(fs: FileSystem, folder: string): Promise<void> {
  const stats = await fs.lstat(folder);
  if (!stats.isDirectory()) {
    throw new AppError(
      'store-untrusted',
      `${folder} is not a folder of its own but ${stats.isSymbolicLink() ? 'a link' : 'something else'}; it was not used. Move it away to begin a new history.`,
    );
  }
  const userId = process.getuid?.();
  if (userId !== undefined && userId !== 0 && Number(stats.uid) !== userId) {
    throw new AppError(
      'store-untrusted',
      `${folder} belongs to another user; it was not used. Move it away to begin a new history.`,
    );
  }
}

async function writeIfMissing(fs: FileSystem, file: string, text: string): Promise<void> {
  try {
    const handle = await fs.open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

async function checkFormat(fs: FileSystem, file: string): Promise<void> {
  const text = await readSmall(fs, file);
  // A crash may have left it empty: it is written before the index, so nothing is lost by taking ours.
  if (text.trim() === '') return;
  const parsed = formatSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new AppError(
      'store-damaged',
      `${file} can't be read. Move .osfoundry away to begin a new history.`,
    );
  if (parsed.data.version > FORMAT_VERSION) {
    throw new AppError(
      'store-newer-format',
      'The history of this folder was written by a newer version of the app. Update the app to open it.',
    );
  }
}

async function readSmall(fs: FileSystem, file: string): Promise<string> {
  let handle: Awaited<ReturnType<FileSystem['open']>>;
  try {
    handle = await fs.open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return '';
    throw toIoError(error, 'reading the history');
  }
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
