/** Turns failed system calls into errors for people: a full disk has its own code, because its remedy is another. */

import { AppError } from '../../shared/errors.ts';

/** Whether an error is a failed system call with one of these codes (`ENOENT`, ...). */
export const isSystemError = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** `doing` completes the sentence "The disk is full while ...". An AppError passes through. */
export function toIoError(error: unknown, doing: string): AppError {
  if (error instanceof AppError) return error;
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) {
    return new AppError('disk-full', `The disk is full: ${doing} failed. Free some space and try again.`, {
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('io-failed', `The system reported an error: ${doing} failed (${reason}).`, {
    cause: error,
  });
}
