/** The thread that searches: whoever asks may end it when a pattern takes too long. */

import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { patternOf, searchText } from './search-file.ts';
import type { SearchReply, SearchRequest } from './search-messages.ts';

/** A link that was swapped in is not followed, and a FIFO does not block. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const LARGEST_SEARCHED_BYTES = 4 * 1024 * 1024;

parentPort?.on('message', ({ root, paths, pattern, most }: SearchRequest) => {
  const expression = patternOf(pattern);
  const found: SearchReply['found'][number][] = [];
  for (const path of paths) {
    if (found.length >= most) break;
    const bytes = read(`${root}/${path}`);
    if (bytes === null) continue;
    for (const match of searchText(bytes, expression, most - found.length) ?? [])
      found.push({ path, ...match });
  }
  parentPort?.postMessage({ found } satisfies SearchReply);
});

/** What can't be read, or is too large to be read by people, is passed over. */
function read(path: string): Uint8Array | null {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > LARGEST_SEARCHED_BYTES) return null;
    const descriptor = openSync(path, READ_FLAGS);
    try {
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
