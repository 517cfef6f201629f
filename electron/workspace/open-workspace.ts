/** Opens a folder: its root is resolved once, and folders that are nobody's project are refused. */

import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, relative, sep } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { isReservedName } from '../../shared/rel-path.ts';
import { type FileSystem, nodeFileSystem } from '../base/file-system.ts';
import { isSystemError } from '../base/io-errors.ts';
import { contain } from './contain.ts';
import { openForReading, stateOf } from './file-state.ts';
import { isMissing, systemFailure } from './system-failure.ts';
import type { Workspace } from './types.ts';

export interface OpenWorkspaceOptions {
  readonly fs?: FileSystem;
  /** The home folder itself may be opened (a setting). */
  readonly allowHome?: boolean;
  readonly homeDir?: string;
  /** The app's own folders (data, program): neither they nor what is in them can be opened. */
  readonly refusedFolders?: readonly string[];
}

/** Throws `folder-not-found` and `folder-refused`, the latter with the reason. */
export async function openWorkspace(folder: string, options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  const fs = options.fs ?? nodeFileSystem;
  const root = await realFolder(fs, folder);
  await refuseUnfit(fs, root, options);
  const at = { root, fs };
  return {
    ...at,
    contain: (text) => contain(at, text),
    stateOf: (path, maxFileBytes) => stateOf(at, path, maxFileBytes),
    read: async (path) => {
      try {
        const handle = await openForReading(fs, join(root, path));
        try {
          if (!(await handle.stat()).isFile()) throw notAFile(path);
          return await handle.readFile();
        } finally {
          await handle.close();
        }
      } catch (error) {
        if (isMissing(error)) throw new AppError('path-not-found', `There is no file ${path}.`, { path });
        if (isSystemError(error, 'ELOOP', 'EISDIR', 'ENXIO')) throw notAFile(path);
        throw systemFailure(error, `reading ${path}`, path);
      }
    },
  };
}

/** Whether the folder can only be looked at. */
export async function isReadOnlyFolder(root: string): Promise<boolean> {
  try {
    await access(root, constants.W_OK);
    return false;
  } catch (error) {
    if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS')) return true;
    throw systemFailure(error, `looking at ${root}`, '');
  }
}

async function realFolder(fs: FileSystem, folder: string): Promise<string> {
  let root: string;
  let isDirectory: boolean;
  try {
    root = await fs.realpath(folder);
    isDirectory = (await fs.lstat(root)).isDirectory();
  } catch (error) {
    if (!isMissing(error)) throw systemFailure(error, `opening ${folder}`, '');
    throw new AppError('folder-not-found', `There is no folder ${folder}.`, { cause: error });
  }
  if (!isDirectory) throw new AppError('folder-not-found', `${folder} is not a folder.`);
  return root;
}

async function refuseUnfit(fs: FileSystem, root: string, options: OpenWorkspaceOptions): Promise<void> {
  const refuse = (why: string): never => {
    throw new AppError('folder-refused', `${root} can't be opened: ${why} Choose a project's folder.`);
  };
  if (parse(root).root === root) refuse('it is the root of the whole disk.');
  if (root.split(sep).some(isReservedName)) refuse("it is inside git's or our own data.");
  const home = await resolved(fs, options.homeDir ?? homedir());
  if (root === home && options.allowHome !== true) {
    refuse('it is your home folder; allow that in the settings if you mean it.');
  }
  if (root !== home && isWithin(home, root)) refuse('it holds your home folder.');
  for (const refused of options.refusedFolders ?? []) {
    if (isWithin(root, await resolved(fs, refused))) refuse('it belongs to this app.');
  }
}

/** A folder that is not there yet stands for itself. */
const resolved = (fs: FileSystem, folder: string): Promise<string> => fs.realpath(folder).catch(() => folder);

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && parse(way).root === '');
}

const notAFile = (path: string): AppError =>
  new AppError('path-wrong-kind', `${path} is not a file that can be read.`, { path });
