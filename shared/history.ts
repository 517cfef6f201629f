/** The history of a folder: its turns and rewinds, and what each did to which path. */

import type { ChangeKind, FileState } from './file-state.ts';
import type { Sha256, TurnNumber } from './ids.ts';

export type EntryKind = 'agent' | 'rewind';

/** `rewound`: undone by a rewind (for an agent turn), or undone by a redo (for a rewind). */
export type EntryStatus = 'kept' | 'rewound';

export type TurnOutcome = 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';

/** Something the turn did, or may have done, that a rewind can't undo, in words for people. */
export interface NotCovered {
  readonly path: string;
  readonly reason: string;
}

/** One path of one entry. The first capture of a path in an entry wins. */
export interface CaptureSummary {
  readonly path: string;
  readonly pre: FileState;
  /** What the entry left; null while the write is under way or when nothing recorded it. */
  readonly post: FileState | null;
  /** null when the entry left the path as it was. */
  readonly change: ChangeKind | null;
  /** Added and removed lines; null for binary, large or not held content. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
  /** False once a rewind put this path back. */
  readonly inForce: boolean;
  /** Facts the person should see beside the path, e.g. "changed during a command". */
  readonly marks: readonly string[];
}

export interface EntrySummary {
  readonly turn: TurnNumber;
  readonly kind: EntryKind;
  /** First line of the prompt, at most 120 characters. For a rewind: what it went back to. */
  readonly label: string;
  readonly atMs: number;
  readonly status: EntryStatus;
  readonly outcome: TurnOutcome;
  readonly agent: string | null;
  /** For a rewind: the turn it went back to right before; null for an agent turn. */
  readonly target: TurnNumber | null;
  readonly captures: readonly CaptureSummary[];
  readonly notCovered: readonly NotCovered[];
  /** E.g. "This turn also made a commit: 1a2b -> 3c4d; a rewind leaves it." */
  readonly notes: readonly string[];
}

/** What `verify` reports. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly turns: number;
  readonly blobs: number;
  readonly bytes: number;
  readonly missing: readonly Sha256[];
  readonly damaged: readonly Sha256[];
  readonly orphans: readonly Sha256[];
}

export interface PrunePolicy {
  /** Keep this many newest turns. */
  readonly keepTurns?: number;
  /** Remove oldest turns until the blobs take at most this many bytes. */
  readonly maxBytes?: number;
  readonly dryRun?: boolean;
}

export interface PruneReport {
  readonly turnsRemoved: number;
  readonly blobsRemoved: number;
  readonly bytesFreed: number;
}

export interface StoreStats {
  readonly turns: number;
  readonly captures: number;
  readonly blobs: number;
  readonly bytesLogical: number;
  readonly bytesOnDisk: number;
}

/** The label of a turn: the first line of the prompt that has text, at most 120 code points, no character split. */
export const LABEL_MAX_CHARACTERS = 120;

export function labelOf(prompt: string): string {
  const firstLine = prompt.split(/\r\n|\r|\n/).find((line) => line.trim() !== '') ?? '';
  let label = '';
  let count = 0;
  // Cut between grapheme clusters, so that neither a surrogate pair nor an emoji sequence is split.
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    firstLine.trim(),
  )) {
    count += Array.from(segment).length;
    if (count > LABEL_MAX_CHARACTERS) break;
    label += segment;
  }
  return label;
}
