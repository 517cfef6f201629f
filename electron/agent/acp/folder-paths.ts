/** External agents name files by absolute paths; ours are relative to the folder. */

import { posix, win32 } from 'node:path';
import { AppError } from '../../../shared/errors.ts';

/** Throws AppError `path-outside-workspace`. A relative path is taken as it is; containment is checked where it is used. */
export function relativeToFolder(
  root: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const paths = platform === 'win32' ? win32 : posix;
  if (!paths.isAbsolute(path)) return path;
  const relative = paths.relative(root, path);
  if (
    relative === '' ||
    relative === '..' ||
    relative.startsWith(`..${paths.sep}`) ||
    paths.isAbsolute(relative)
  ) {
    throw new AppError(
      'path-outside-workspace',
      `The agent asked for ${path}, which is outside of the folder.`,
      { path },
    );
  }
  return relative.split(paths.sep).join('/');
}
