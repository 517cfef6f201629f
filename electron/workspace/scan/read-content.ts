/** Reads an open file in a worker thread. */

import { createHash, hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { asSha256, type Sha256 } from '../../../shared/ids.ts';

const PIECE_BYTES = 1024 * 1024;
/** Used again and again: a buffer of its own for each file takes longer than reading most files. */
const scratch = Buffer.allocUnsafeSlow(PIECE_BYTES);

/**
 * The first `size` bytes, as the file had when it was looked at; the caller notices one that changed since. What is returned
 * may be overwritten by the next call.
 */
export function bytesOf(descriptor: number, size: number): { sha256: Sha256; bytes: Uint8Array } {
  const buffer = size <= scratch.length ? scratch : Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, buffer, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  const bytes = buffer.subarray(0, length);
  return { sha256: asSha256(hash('sha256', bytes)), bytes };
}

/** Of a file of any size. */
export function hashOf(descriptor: number): Sha256 {
  const whole = createHash('sha256');
  for (;;) {
    const count = readSync(descriptor, scratch, 0, scratch.length, null);
    if (count === 0) return asSha256(whole.digest('hex'));
    whole.update(scratch.subarray(0, count));
  }
}
