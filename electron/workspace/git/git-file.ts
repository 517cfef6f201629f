/** Reads files of a repository that anybody may have made: none of them is followed, blocks, or is without end. */

import { nodeFileSystem } from '../../base/file-system.ts';
import { openForReading } from '../file-state.ts';

/** An index of half a million files has about 60 MB. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_END_BYTES = 64 * 1024;

/** null for what is not a file that can be read. */
export async function readGitFile(path: string): Promise<Buffer | null> {
  const range = await readRange(path, MOST_BYTES);
  return range === null || range.part.length < range.bytes ? null : range.part;
}

/** The last part of a record that only grows; empty where there is none. */
export async function readGitFileEnd(path: string): Promise<{ end: string; bytes: number }> {
  const range = await readRange(path, MOST_END_BYTES);
  return { end: range?.part.toString('utf8') ?? '', bytes: range?.bytes ?? 0 };
}

async function readRange(path: string, most: number): Promise<{ part: Buffer; bytes: number } | null> {
  try {
    const file = await openForReading(nodeFileSystem, path);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return null;
      const length = Math.min(stats.size, most);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, stats.size - length);
      return { part: buffer.subarray(0, bytesRead), bytes: stats.size };
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
