/**
 * Steps that nobody can see into (a shell command, an agent that writes by itself): the folder is looked at before and
 * after, and what is different in between is captured in the turn. One mechanism for a step and for a whole turn.
 */

import { AppError } from '../../shared/errors.ts';
import type { OpenEntry } from '../store/types.ts';
import { describeGitMoves, type ScanResult, snapshotGit } from '../workspace/index.ts';
import type { FolderParts } from './folder-parts.ts';
import { beginStep, endStep } from './interrupted-step.ts';

/** A person who saves a file while a command runs can't be told apart from the command. */
export const CHANGED_DURING = 'changed during a command';

export class OpaqueSteps {
  readonly #parts: FolderParts;
  readonly #entry: OpenEntry;
  readonly #signal: AbortSignal;
  readonly #notice: (text: string) => void;
  /** Steps can stand inside of each other: a command run for an agent whose whole turn is a step. */
  #depth = 0;

  constructor(parts: FolderParts, entry: OpenEntry, signal: AbortSignal, notice: (text: string) => void) {
    this.#parts = parts;
    this.#entry = entry;
    this.#signal = signal;
    this.#notice = notice;
  }

  /** Throws AppError `cancelled` when the turn is stopped before the step begins; then the step has not run. */
  async around<T>(step: () => Promise<T>): Promise<T> {
    if (this.#depth > 0) await this.observe();
    else await this.#lookBefore();
    const { root } = this.#parts.workspace;
    const gitBefore = await snapshotGit(root);
    this.#depth += 1;
    beginStep(this.#parts.store, this.#entry.turn);
    try {
      return await step();
    } finally {
      this.#depth -= 1;
      // Also after Stop: what the step did until then must be captured.
      await this.observe();
      if (this.#depth === 0) endStep(this.#parts.store);
      const moves = describeGitMoves(gitBefore, await snapshotGit(root));
      if (moves.length > 0) this.#entry.addNotes(moves);
    }
  }

  /** Looks at the folder if a step is under way. */
  async observeInside(): Promise<void> {
    if (this.#depth > 0) await this.observe();
  }

  /** In the middle of a step: captures what is different until now. */
  async observe(): Promise<void> {
    await this.#parts.baseline.scan({ found: recordIn(this.#entry) });
  }

  async #lookBefore(): Promise<void> {
    const { baseline } = this.#parts;
    if (baseline.isReading) this.#notice('Waiting until the folder has been read.');
    const { notCovered } = await baseline.scan({ signal: this.#signal });
    if (this.#signal.aborted) throw new AppError('cancelled', 'The turn was stopped.');
    this.#entry.addNotCovered(notCovered);
  }
}

/** Enough for one commit: recording thousands of paths at once would hold up the window. */
const PATHS_AT_ONCE = 500;

/** A path that this turn has a capture of keeps its first before-state; the after-state is what the scan found. */
export const recordIn =
  (entry: OpenEntry) =>
  async ({ changes, notCovered }: ScanResult): Promise<void> => {
    for (let from = 0; from < changes.length; from += PATHS_AT_ONCE) {
      entry.observed(
        changes
          .slice(from, from + PATHS_AT_ONCE)
          .map(({ path, before, after }) => ({ path, pre: before, post: after, marks: [CHANGED_DURING] })),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    entry.addNotCovered(notCovered);
  };
