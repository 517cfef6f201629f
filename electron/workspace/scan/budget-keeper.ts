/** Remembers which folders a scan leaves out because the folder holds more than the baseline may. */

import type { NotCovered } from '../../../shared/history.ts';
import { type Budget, foldersOverBudget } from './budget.ts';
import { isInside } from './paths.ts';

export type { Budget };

const REASON = 'one of the largest folders, left out because the folder is over the budget';

export class BudgetKeeper {
  readonly #budget: Budget;
  readonly #maxFileBytes: number;
  readonly #leftOut = new Set<string>();

  constructor(budget: Budget, maxFileBytes: number) {
    this.#budget = budget;
    this.#maxFileBytes = maxFileBytes;
  }

  /**
   * The folders to leave out so that what is covered and the fresh files fit. What is covered stays covered: a step that makes
   * too much must not take the pre-images of the rest away.
   */
  keep(
    fresh: readonly string[],
    sizeOf: (path: string) => number,
    covered: { readonly count: number; readonly bytes: number },
  ): NotCovered[] {
    const room = { files: this.#budget.files - covered.count, bytes: this.#budget.bytes - covered.bytes };
    // Asking for all sizes takes a while, and is rarely needed.
    if (fresh.length <= room.files && fresh.length * this.#maxFileBytes <= room.bytes) return [];
    const sizes = fresh.map((path) => {
      const bytes = sizeOf(path);
      return { path, bytes: bytes > this.#maxFileBytes ? 0 : bytes };
    });
    const folders = foldersOverBudget(sizes, room);
    for (const folder of folders) this.#leftOut.add(folder);
    return folders.map((path) => ({ path, reason: REASON }));
  }

  /** Why what is new in the directory is not covered; null when it is. */
  reasonFor(directory: string): string | null {
    return this.isOut(directory) ? REASON : null;
  }

  isOut(path: string): boolean {
    if (this.#leftOut.size === 0) return false;
    return this.#leftOut.has(path) || isInside(path, (directory) => this.#leftOut.has(directory));
  }
}
