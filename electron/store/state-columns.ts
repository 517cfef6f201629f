/** How one FileState stands in five columns of a row. */

import type { FileState } from '../../shared/file-state.ts';
import { isSha256 } from '../../shared/ids.ts';
import type { SqlRow, SqlValue } from './db.ts';
import { sizeOf } from './plain-columns.ts';

export const STATE_COLUMNS = 5;

/** `pre_kind, pre_sha256, ...` in the order of `stateValues`. */
export const stateNames = (prefix: string): string =>
  ['kind', 'sha256', 'bytes', 'mode', 'text'].map((name) => `${prefix}_${name}`).join(', ');

export const stateAssignments = (prefix: string): string =>
  stateNames(prefix)
    .split(', ')
    .map((name) => `${name} = ?`)
    .join(', ');

type StateValues = [SqlValue, SqlValue, SqlValue, SqlValue, SqlValue];

export function stateValues(state: FileState | null): StateValues {
  switch (state?.kind) {
    case undefined:
      return [null, null, null, null, null];
    case 'absent':
      return [state.kind, null, null, null, null];
    case 'content':
      return [state.kind, state.sha256, state.bytes, state.mode, null];
    case 'symlink':
      return [state.kind, null, null, null, state.target];
    case 'directory':
      return [state.kind, null, null, state.mode, null];
    case 'skipped':
      return [state.kind, null, state.bytes ?? null, state.mode ?? null, state.reason];
  }
}

/** A state that can't be read (anybody may have edited the row) is one whose content is not held. */
export function readState(row: SqlRow, at: number): FileState {
  const [kind, sha256, bytes, mode, text] = row.slice(at, at + STATE_COLUMNS);
  if (kind === 'absent') return { kind };
  if (kind === 'content' && typeof sha256 === 'string' && isSha256(sha256)) {
    return { kind, sha256, bytes: sizeOf(bytes), mode: permissionBits(mode) };
  }
  if (kind === 'symlink' && typeof text === 'string') return { kind, target: text };
  if (kind === 'directory') return { kind, mode: permissionBits(mode) };
  return {
    kind: 'skipped',
    reason: kind === 'skipped' && typeof text === 'string' ? text : 'its record in the history is damaged',
    ...(bytes === null ? {} : { bytes: sizeOf(bytes) }),
    ...(mode === null ? {} : { mode: permissionBits(mode) }),
  };
}

export const readOptionalState = (row: SqlRow, at: number): FileState | null =>
  row[at] === null ? null : readState(row, at);

const permissionBits = (mode: unknown): number => Number(mode) & 0o7777;
