/** Searches the files of a folder for an agent. */

import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { startWorker } from '../../base/worker-url.ts';
import type { FoundMatch, SearchReply, SearchRequest } from './search-messages.ts';
import { type WalkOptions, walk } from './walk.ts';

const FILES_AT_ONCE = 200;
/** For one group of files. An honest pattern needs milliseconds; one that backtracks without end needs years. */
const PATIENCE_MS = 10_000;

export interface SearchOptions extends WalkOptions {
  /** A regular expression, or plain text where it is none. */
  readonly pattern: string;
  /** How many lines to find. */
  readonly most: number;
  /** For one group of files; default 10 s. */
  readonly patienceMs?: number;
}

export interface SearchResult {
  /** Sorted by path. */
  readonly found: readonly FoundMatch[];
  /** There are more than `most`. */
  readonly isCut: boolean;
  /** Files that were not searched for their size. */
  readonly tooLarge: readonly string[];
  readonly isPlainText: boolean;
}

/**
 * A single file is searched when `from` names one. The search is done in a thread of its own: no pattern keeps the app
 * waiting, and one that backtracks without end is ended with its thread, which no check of the pattern could promise.
 * Throws AppError `cancelled`, and `tool-bad-input` for a pattern that takes too long.
 */
export async function searchFolder(options: SearchOptions): Promise<SearchResult> {
  const { from, most } = options;
  const thread = new SearchThread(options);
  const found: FoundMatch[] = [];
  const tooLarge: string[] = [];
  let isPlainText = false;
  const search = async (paths: readonly string[]): Promise<void> => {
    // One more than is shown tells whether there are more.
    const reply = await thread.search(paths, most + 1 - found.length);
    found.push(...reply.found);
    tooLarge.push(...reply.tooLarge);
    isPlainText = reply.isPlainText;
  };
  try {
    // A file has nothing below it.
    let paths: string[] = from === '' ? [] : [from];
    for await (const { path, kind } of walk(options)) {
      if (kind === 'file') paths.push(path);
      if (paths.length < FILES_AT_ONCE) continue;
      await search(paths);
      paths = [];
      if (found.length > most) break;
    }
    if (found.length <= most) await search(paths);
    return { found: found.slice(0, most), isCut: found.length > most, tooLarge, isPlainText };
  } finally {
    await thread.end();
  }
}

class SearchThread {
  readonly #worker: Worker;
  readonly #options: SearchOptions;
  /** Rejects when the thread fails, also between two groups of files. */
  readonly #failed: Promise<never>;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#worker = startWorker(new URL('./search.worker.ts', import.meta.url));
    this.#failed = new Promise((_, reject) => this.#worker.once('error', reject));
    this.#failed.catch(() => undefined);
  }

  async search(paths: readonly string[], most: number): Promise<SearchReply> {
    const { root, pattern, signal, patienceMs = PATIENCE_MS } = this.#options;
    let cleanUp = (): void => undefined;
    const answered = new Promise<SearchReply>((resolve, reject) => {
      const stop = (): void => reject(new AppError('cancelled', 'The search was stopped.'));
      const tooLong = 'The search took too long; use a simpler pattern, or a smaller folder.';
      const timer = setTimeout(() => reject(new AppError('tool-bad-input', tooLong)), patienceMs);
      this.#worker.once('message', resolve);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      cleanUp = () => {
        clearTimeout(timer);
        this.#worker.off('message', resolve);
        signal.removeEventListener('abort', stop);
      };
    });
    this.#worker.postMessage({ root, paths, pattern, most } satisfies SearchRequest);
    try {
      return await Promise.race([answered, this.#failed]);
    } finally {
      cleanUp();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
