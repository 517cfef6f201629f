/** The folder of the store: made with tight permissions, and looked at before it is trusted (it may have been planted). */

import { constants } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { replaceFile, syncDirectory } from '../base/durable-files.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import { readOnlyError } from './errors.ts';

export const FORMAT_VERSION = 1;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
/** Our own small files hold less. */
const SMALL_BYTES = 4096;

/** A planted link must not lead us to a file elsewhere; a FIFO must not make us wait. */
export const OWN_FILE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const formatSchema = z.object({ format: z.literal('osfoundry-checkpoints'), version: z.int().min(1) });

export interface StorePaths {
  readonly home: string;
  readonly ignore: string;
  readonly checkpoints: string;
  readonly blobs: string;
  readonly temporary: string;
  readonly format: string;
  readonly index: string;
  readonly lock: string;
  readonly lockHolder: string;
  readonly importable: string;
}

export function storePaths(root: string): StorePaths {
  const home = join(root, '.osfoundry');
  const checkpoints = join(home, 'checkpoints');
  return {
    home,
    ignore: join(home, '.gitignore'),
    checkpoints,
    blobs: join(checkpoints, 'blobs'),
    temporary: join(checkpoints, 'tmp'),
    format: join(checkpoints, 'format.json'),
    index: join(checkpoints, 'index.sqlite'),
    lock: join(checkpoints, 'lock'),
    lockHolder: join(checkpoints, 'lock-holder'),
    importable: join(checkpoints, 'index.json'),
  };
}

/** The index, and what SQLite keeps beside it. */
export const indexFiles = ({ index }: StorePaths): string[] =>
  ['', '-wal', '-shm', '-journal'].map((ending) => `${index}${ending}`);

/**
 * Before the lock is taken: makes the folders that are missing, durably up to the person's own folder, and lets nobody else
 * look into them. Throws AppError `store-untrusted`, `folder-read-only`, `disk-full`, `io-failed`.
 */
export async function prepareFolders(fs: FileSystem, root: string, paths: StorePaths): Promise<void> {
  await changing(async () => {
    let isNew = false;
    for (const folder of [paths.home, paths.checkpoints, paths.blobs, paths.temporary]) {
      if (await makeFolder(fs, folder)) isNew = true;
      const mode = await checkFolder(fs, folder);
      if (process.platform !== 'win32' && (mode & OTHERS) !== 0) await fs.chmod(folder, FOLDER_MODE);
    }
    if (isNew) for (const folder of [root, paths.home, paths.checkpoints]) await syncDirectory(fs, folder);
    await checkFiles(fs, paths);
  });
}

/** Under the lock. Throws AppError `store-newer-format` or `store-damaged`, too. */
export async function prepareFiles(fs: FileSystem, paths: StorePaths): Promise<void> {
  await changing(async () => {
    for (const folder of [paths.home, paths.checkpoints]) await removeLeftovers(fs, folder);
    await writeIfBlank(fs, paths.ignore, '*\n');
    const format = { format: 'osfoundry-checkpoints', version: FORMAT_VERSION };
    await writeIfBlank(fs, paths.format, `${JSON.stringify(format)}\n`);
  });
  await checkFormat(fs, paths.format);
}

/** For reading: false when there is no store yet. */
export async function isStoreThere(fs: FileSystem, paths: StorePaths): Promise<boolean> {
  try {
    for (const folder of [paths.home, paths.checkpoints, paths.blobs]) await checkFolder(fs, folder);
    await fs.lstat(paths.index);
    await checkFiles(fs, paths);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
    throw toIoError(error, 'reading the history');
  }
  await checkFormat(fs, paths.format);
  return true;
}

/** Whether it was missing. */
async function makeFolder(fs: FileSystem, folder: string): Promise<boolean> {
  try {
    await fs.mkdir(folder, FOLDER_MODE);
    return true;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    return false;
  }
}

/** A link would lead our writes elsewhere, and another owner could change what we read between check and use. */
async function checkFolder(fs: FileSystem, folder: string): Promise<number> {
  const stats = await fs.lstat(folder);
  if (!stats.isDirectory()) {
    throw untrusted(
      folder,
      `is not a folder of its own but ${stats.isSymbolicLink() ? 'a link' : 'something else'}`,
    );
  }
  const userId = process.getuid?.();
  if (userId !== undefined && userId !== 0 && Number(stats.uid) !== userId) {
    throw untrusted(folder, 'belongs to another user');
  }
  return Number(stats.mode);
}

/** SQLite follows links, and would make and change files where they lead. */
async function checkFiles(fs: FileSystem, paths: StorePaths): Promise<void> {
  for (const file of [...indexFiles(paths), paths.lock, paths.lockHolder, paths.format, paths.ignore]) {
    try {
      const stats = await fs.lstat(file);
      if (!stats.isFile()) {
        throw untrusted(
          file,
          `is not a file of its own but ${stats.isSymbolicLink() ? 'a link' : 'something else'}`,
        );
      }
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
  }
}

const untrusted = (path: string, why: string): AppError =>
  new AppError(
    'store-untrusted',
    `${path} ${why}; the history was not used. Move .osfoundry away to begin a new one.`,
  );

/** A file that is there stays as it is, unless a crash has left it without content. */
async function writeIfBlank(fs: FileSystem, file: string, text: string): Promise<void> {
  if ((await readSmall(fs, file)).trim() === '') await replaceFile(fs, file, text, FILE_MODE);
}

/** Of `replaceFile`, when a crash cut it off. */
async function removeLeftovers(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (/^\.[0-9a-f]{16}\.tmp$/.test(name)) await fs.unlink(join(folder, name)).catch(() => undefined);
  }
}

async function checkFormat(fs: FileSystem, file: string): Promise<void> {
  const text = await reading(() => readSmall(fs, file));
  // For reading only: a crash came before it was written, and so before anything of use.
  if (text.trim() === '') return;
  const parsed = formatSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new AppError(
      'store-damaged',
      `${file} can't be read. Move .osfoundry away to begin a new history.`,
    );
  if (parsed.data.version > FORMAT_VERSION) throw newerFormat();
}

export const newerFormat = (): AppError =>
  new AppError(
    'store-newer-format',
    'The history of this folder was written by a newer version of the app. Update the app to open it.',
  );

async function readSmall(fs: FileSystem, file: string): Promise<string> {
  try {
    const handle = await fs.open(file, constants.O_RDONLY | OWN_FILE_FLAGS);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SMALL_BYTES), 0, SMALL_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return '';
    throw error;
  }
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toIoError(error, 'reading the history');
  }
}

async function changing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isSystemError(error, 'EROFS', 'EACCES', 'EPERM')) throw readOnlyError(error);
    throw toIoError(error, 'opening the history');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
