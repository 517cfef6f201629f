/** Opens folders without write permission for the time of a rewind, and closes them again. */

import { toErrorInfo } from '../../shared/errors.ts';
import type { RelPath } from '../../shared/ids.ts';
import { parentsOf } from '../../shared/rel-path.ts';
import type { FailedPath } from '../../shared/rewind.ts';
import type { OpenEntry } from '../store/types.ts';
import type { ChangeableFolder } from './types.ts';
import * as words from './words.ts';

const OWNER_MAY_CHANGE_ENTRIES = 0o300;

export class OpenedFolders {
  readonly #folder: ChangeableFolder;
  readonly #entry: OpenEntry;
  /** The mode to put back, and the one that stands now; in the order of opening, which is outermost first. */
  readonly #opened = new Map<RelPath, { readonly before: number; readonly now: number }>();

  constructor(folder: ChangeableFolder, entry: OpenEntry) {
    this.#folder = folder;
    this.#entry = entry;
  }

  /** Makes the folder that holds the path writable. */
  async openAround(path: RelPath): Promise<void> {
    // The superuser needs no permission.
    if (process.geteuid?.() === 0) return;
    const parent = parentsOf(path).at(-1);
    if (parent === undefined || this.#opened.has(parent)) return;
    const state = await this.#folder.workspace.stateOf(parent, 0);
    if (state.kind !== 'directory') return;
    const now = state.mode | OWNER_MAY_CHANGE_ENTRIES;
    if (now === state.mode) return;
    await this.#folder.funnel.setMode(this.#entry, parent, now, { expect: state });
    this.#opened.set(parent, { before: state.mode, now });
  }

  /** The mode that a folder has now, if it was opened; it is then the caller's to set or to remove. */
  take(path: RelPath): number | null {
    const opened = this.#opened.get(path);
    this.#opened.delete(path);
    return opened?.now ?? null;
  }

  /** Returns those that stay open, with the reason. */
  async closeAll(): Promise<FailedPath[]> {
    const failed: FailedPath[] = [];
    for (const [path, { before, now }] of [...this.#opened].reverse()) {
      try {
        await this.#folder.funnel.setMode(this.#entry, path, before, {
          expect: { kind: 'directory', mode: now },
        });
      } catch (error) {
        failed.push({ path, reason: words.folderStaysOpen(before, toErrorInfo(error).message) });
      }
    }
    this.#opened.clear();
    return failed;
  }
}
