/** What stands at one path at one moment; the same shape serves pre-images, after-states and the disk. */

import type { Sha256 } from './ids.ts';

export type FileState =
  | { readonly kind: 'absent' }
  /** A regular file. `mode` is the permission bits (0o7777 mask). */
  | { readonly kind: 'content'; readonly sha256: Sha256; readonly bytes: number; readonly mode: number }
  /** `target` is the link text as it is, never resolved. */
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  /** Something is there whose content is not held, with the reason in words for people. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly bytes?: number; readonly mode?: number };

export type PreImage = FileState;

export const ABSENT: FileState = { kind: 'absent' };

/** True when both stand for the same bytes, kind, mode and target. Two skipped states are never known to be equal. */
export function sameState(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case 'absent':
      return b.kind === 'absent';
    case 'content':
      return b.kind === 'content' && a.sha256 === b.sha256 && a.mode === b.mode;
    case 'symlink':
      return b.kind === 'symlink' && a.target === b.target;
    case 'directory':
      return b.kind === 'directory' && a.mode === b.mode;
    case 'skipped':
      return false;
  }
}

export type ChangeKind = 'created' | 'modified' | 'deleted' | 'mode';

/** Names the change between two states, or null when nothing changed. */
export function changeBetween(before: FileState, after: FileState): ChangeKind | null {
  if (sameState(before, after)) return null;
  if (before.kind === 'absent') return 'created';
  if (after.kind === 'absent') return 'deleted';
  if (before.kind === 'content' && after.kind === 'content' && before.sha256 === after.sha256) return 'mode';
  if (before.kind === 'directory' && after.kind === 'directory') return 'mode';
  return 'modified';
}

/** 8 MB: larger files are not held. One constant; a setting overrides it. */
export const DEFAULT_MAX_FILE_BYTES = 8 * 1024 * 1024;

/** "12 MB, over the 8 MB limit". 1 MB is 1024 * 1024 bytes, as the limit is stated. */
export function overLimitReason(bytes: number, limitBytes: number): string {
  return `${formatMegabytes(bytes)}, over the ${formatMegabytes(limitBytes)} limit`;
}

/** Rounds up to a tenth, so that a file just over the limit never reads as the limit itself. */
function formatMegabytes(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MB`;
}
