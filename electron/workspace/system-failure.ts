/** What a failed system call means for a path of the folder, in words for people. */

import { AppError } from '../../shared/errors.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';

/** `doing` is a noun: "writing a.txt". An AppError passes through. */
export function systemFailure(error: unknown, doing: string, path: string): AppError {
  if (error instanceof AppError) return error;
  const about = { cause: error, path };
  if (isSystemError(error, 'EROFS')) {
    return new AppError('folder-read-only', `The folder can only be read: ${doing} is not possible.`, about);
  }
  if (isSystemError(error, 'ENAMETOOLONG')) {
    return new AppError('path-invalid', `The path ${path} is too long for this disk.`, about);
  }
  if (isSystemError(error, 'EPERM')) {
    const why = 'EPERM: it may be locked, immutable or owned by someone else';
    return new AppError('io-failed', `The system does not permit ${doing} (${why}).`, about);
  }
  if (isSystemError(error, 'EACCES')) {
    const why = 'EACCES: permission denied';
    return new AppError('io-failed', `The system does not permit ${doing} (${why}).`, about);
  }
  if (isSystemError(error, 'EXDEV')) {
    return new AppError(
      'io-failed',
      `Source and destination are on different disks: ${doing} failed.`,
      about,
    );
  }
  const failure = toIoError(error, doing);
  return new AppError(failure.code, failure.message, about);
}

/** Nothing stands at the path, or one of its parents is a file. */
export const isMissing = (error: unknown): boolean => isSystemError(error, 'ENOENT', 'ENOTDIR');
