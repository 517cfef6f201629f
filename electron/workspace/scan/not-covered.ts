/** Why paths are not covered, kept by the directory they stand in: what is there besides the known paths is seen again only by reading it. */

import type { NotCovered } from '../../../shared/history.ts';
import { directoryOf } from './paths.ts';

export class NotCoveredPaths {
  readonly #byDirectory = new Map<string, Map<string, string>>();

  set(path: string, reason: string): void {
    const directory = directoryOf(path);
    const reasons = this.#byDirectory.get(directory) ?? new Map<string, string>();
    this.#byDirectory.set(directory, reasons);
    reasons.set(path, reason);
  }

  delete(path: string): void {
    this.#byDirectory.get(directoryOf(path))?.delete(path);
  }

  /** Of what stands in the directory, only what `keep` names stays. */
  forgetIn(directory: string, keep: (path: string) => boolean = () => false): void {
    const reasons = this.#byDirectory.get(directory);
    if (reasons === undefined) return;
    for (const path of [...reasons.keys()]) if (!keep(path)) reasons.delete(path);
    if (reasons.size === 0) this.#byDirectory.delete(directory);
  }

  list(): NotCovered[] {
    return [...this.#byDirectory.values()].flatMap((reasons) =>
      [...reasons].map(([path, reason]) => ({ path, reason })),
    );
  }
}
