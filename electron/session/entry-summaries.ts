/** The history as a person looks at it. Lines are counted in the background, once for each pair of contents. */

import { changeBetween, type FileState } from '../../shared/file-state.ts';
import type { CaptureSummary, EntrySummary } from '../../shared/history.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { CaptureRow, CheckpointStore, EntryRow } from '../store/types.ts';

export type LineCounts = CaptureSummary['lines'];
export type CountLines = (path: string, before: FileState, after: FileState) => Promise<LineCounts>;

/** The history panel shows a sum; for a turn over thousands of files it is not worth its time. */
const MOST_COUNTED_PER_ENTRY = 200;

interface Uncounted {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

export class EntrySummaries {
  readonly #store: () => CheckpointStore;
  readonly #countLines: CountLines;
  readonly #counted: () => void;
  readonly #lines = new Map<string, LineCounts>();
  readonly #waiting = new Map<string, Uncounted>();
  #counting = false;

  /** `counted` is called when numbers came in that were null before. */
  constructor(store: () => CheckpointStore, countLines: CountLines, counted: () => void) {
    this.#store = store;
    this.#countLines = countLines;
    this.#counted = counted;
  }

  list(options: { limit?: number; before?: TurnNumber } = {}): EntrySummary[] {
    return this.#store()
      .entries(options)
      .map((entry) => this.#summaryOf(entry));
  }

  /** Counts what was missing in the lists given out so far; `counted` is called when it is there. */
  async countMissing(signal: AbortSignal): Promise<void> {
    if (this.#counting) return;
    this.#counting = true;
    try {
      let found = false;
      for (const [key, { path, before, after }] of this.#waiting) {
        if (signal.aborted) return;
        this.#waiting.delete(key);
        const lines = await this.#countLines(path, before, after);
        this.#lines.set(key, lines);
        found ||= lines !== null;
      }
      if (found) this.#counted();
    } finally {
      this.#counting = false;
    }
  }

  #summaryOf(entry: EntryRow): EntrySummary {
    const captures = this.#store().captures(entry.turn);
    return {
      turn: entry.turn,
      kind: entry.kind,
      label: entry.label,
      atMs: entry.atMs,
      status: entry.status,
      outcome: entry.outcome,
      agent: entry.agent,
      target: entry.target,
      captures: captures.map((capture, index) => this.#captureSummary(capture, index)),
      notCovered: entry.notCovered,
      notes: entry.notes,
    };
  }

  #captureSummary({ path, pre, post, undoneBy, marks }: CaptureRow, index: number): CaptureSummary {
    return {
      path,
      pre,
      post,
      change: post === null ? null : changeBetween(pre, post),
      lines: index < MOST_COUNTED_PER_ENTRY ? this.#linesBetween(path, pre, post) : null,
      inForce: undoneBy === null,
      marks,
    };
  }

  #linesBetween(path: string, before: FileState, after: FileState | null): LineCounts {
    const [from, to] = [contentKey(before), contentKey(after)];
    if (after === null || from === null || to === null || from === to) return null;
    const key = `${from} ${to}`;
    const known = this.#lines.get(key);
    if (known === undefined) this.#waiting.set(key, { path, before, after });
    return known ?? null;
  }
}

/** null where there are no lines to count. */
function contentKey(state: FileState | null): string | null {
  if (state?.kind === 'content') return state.sha256;
  return state?.kind === 'absent' ? 'absent' : null;
}
