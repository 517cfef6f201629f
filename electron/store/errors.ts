/** Says what a failure of the store's files or of its database means for a person. */

import { AppError } from '../../shared/errors.ts';
import { toIoError } from '../base/io-errors.ts';

/** `doing` completes the sentence "... failed". SQLite's own errors are told by their code; an AppError passes through. */
export function toStoreError(error: unknown, doing: string): AppError {
  const code = sqliteCodeOf(error);
  if (code === null) return toIoError(error, doing);
  if (code === 'SQLITE_FULL') {
    return new AppError('disk-full', `The disk is full: ${doing} failed. Free some space and try again.`, {
      cause: error,
    });
  }
  if (isDamage(error)) {
    return new AppError(
      'store-damaged',
      `The history of this folder is damaged: ${doing} failed. Close it and open it again to set the damaged index aside.`,
      { cause: error },
    );
  }
  if (/^SQLITE_READONLY/.test(code)) return readOnlyError(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('io-failed', `The history could not be used: ${doing} failed (${reason}).`, {
    cause: error,
  });
}

export const readOnlyError = (cause: unknown): AppError =>
  new AppError(
    'folder-read-only',
    'The history of this folder can only be looked at: the folder is read-only for you.',
    { cause },
  );

/** The file is not a database, or not a whole one, or not one that we made. */
export function isDamage(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store-damaged';
  const code = sqliteCodeOf(error);
  return code !== null && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY/.test(sqliteCodeOf(error) ?? '');

function sqliteCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return error.code.startsWith('SQLITE_') ? error.code : null;
}
