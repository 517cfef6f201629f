/**
 * What an agent last saw of each file: for an agent that must reread before it writes, a file that is otherwise now was
 * changed by the person or another program, and a write would run over that.
 */

import { AppError } from '../../shared/errors.ts';
import { type FileState, sameState } from '../../shared/file-state.ts';
import type { RelPath } from '../../shared/ids.ts';

export class SeenFiles {
  readonly #states = new Map<RelPath, FileState>();

  note(path: RelPath, state: FileState): void {
    this.#states.set(path, state);
  }

  /** A file that was never read may be written: that is a choice, not an oversight. */
  async check(path: RelPath, present: () => Promise<FileState>): Promise<void> {
    const seen = this.#states.get(path);
    if (seen === undefined || sameState(seen, await present())) return;
    throw new AppError(
      'path-changed',
      `${path} was changed by somebody else since you last read it; read it again before you write it.`,
      { path },
    );
  }
}
