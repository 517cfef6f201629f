/** The thread that searches: whoever asks may end it when a pattern takes too long. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type Pattern, patternOf, searchText } from './search-file.ts';
import type { FoundMatch, SearchReply, SearchRequest } from './search-messages.ts';

/** A link that was swapped in is not followed, and a FIFO does not block. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const LARGEST_SEARCHED_BYTES = 4 * 1024 * 1024;

parentPort?.on('message', ({ root, paths, pattern, most }: SearchRequest) => {
  const expression: Pattern = patternOf(pattern);
  const found: FoundMatch[] = [];
  const tooLarge: string[] = [];
  for (const path of paths) {
    if (found.length === most) break;
    const bytes = read(`${root}/${path}`);
    if (bytes === 'too-large') tooLarge.push(path);
    else if (bytes !== null) {
      const lines = searchText(bytes, expression, most - found.length);
      found.push(...lines.map((line) => ({ path, ...line })));
    }
  }
  const reply: SearchReply = { found, tooLarge, isPlainText: expression.isPlainText };
  parentPort?.postMessage(reply);
});

/** null for what can't be read: a folder, a device, another user's file, one that is gone since. */
function read(path: string): Buffer | 'too-large' | null {
  try {
    const descriptor = openSync(path, READ_FLAGS);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return null;
      return stats.size > LARGEST_SEARCHED_BYTES ? 'too-large' : readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
