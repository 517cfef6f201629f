/** Searches the files of a folder for an agent. */

import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { startWorker } from '../../base/worker-url.ts';
import type { SearchReply, SearchRequest } from './search-messages.ts';
import { type WalkOptions, walk } from './walk.ts';

const FILES_AT_ONCE = 200;
/** For one group of files. An honest pattern needs milliseconds; one that backtracks without end needs years. */
const PATIENCE_MS = 10_000;

export interface SearchOptions extends WalkOptions {
  readonly pattern: string;
  /** How many lines to find. */
  readonly most: number;
}

/**
 * Sorted by path; stops at `most`. A single file is searched when `from` names one. Throws AppError `cancelled`, and
 * `tool-bad-input` for a pattern that takes too long.
 */
export async function searchFolder(options: SearchOptions): Promise<SearchReply['found']> {
  const { root, from, pattern, most, signal } = options;
  const worker = startWorker(new URL('./search.worker.ts', import.meta.url));
  const found: SearchReply['found'][number][] = [];
  const search = async (paths: readonly string[]): Promise<void> => {
    const request = { root, paths, pattern, most: most - found.length };
    found.push(...(await ask(worker, request, signal)));
  };
  try {
    // A file has nothing below it.
    let paths: string[] = from === '' ? [] : [from];
    for await (const { path, kind } of walk(options)) {
      if (kind === 'file') paths.push(path);
      if (paths.length < FILES_AT_ONCE) continue;
      await search(paths);
      paths = [];
      if (found.length >= most) return found;
    }
    await search(paths);
    return found;
  } finally {
    await worker.terminate();
  }
}

function ask(worker: Worker, request: SearchRequest, signal: AbortSignal): Promise<SearchReply['found']> {
  return new Promise((resolve, reject) => {
    const tooLong = (): void =>
      end(() =>
        reject(
          new AppError(
            'tool-bad-input',
            'The search took too long; use a simpler pattern, or a smaller folder.',
          ),
        ),
      );
    const stop = (): void => end(() => reject(new AppError('cancelled', 'The search was stopped.')));
    const timer = setTimeout(tooLong, PATIENCE_MS);
    const hear = (reply: SearchReply): void => end(() => resolve(reply.found));
    const fail = (error: unknown): void => end(() => reject(error));
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('message', hear).off('error', fail);
      settle();
    };
    signal.addEventListener('abort', stop);
    worker.on('message', hear).on('error', fail);
    worker.postMessage(request);
    if (signal.aborted) stop();
  });
}
