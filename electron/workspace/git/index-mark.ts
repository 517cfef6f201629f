/**
 * Tells one state of a git index from another by what is staged. Git also keeps times of files there, and writes them anew
 * when somebody only asks for the status; so the file as a whole tells nothing.
 */

import { createHash } from 'node:crypto';
import { nodeFileSystem } from '../../base/file-system.ts';
import { readGitFile } from './git-file.ts';
import type { ObjectName } from './names.ts';

export type IndexMark = string;

const HEADER_BYTES = 12;
/** Before the mode stand times, device and inode; after it owner and size, up to the object's name. */
const MODE_AT = 24;
const AFTER_MODE = 28;
const OBJECT_AT = 40;
const EXTENDED = 0x4000;

/** The last one that was read: what is there after one command is there before the next, and it may be large. */
let known: { identity: string; mark: IndexMark | null } = { identity: '', mark: null };

/** `commit`: any of the repository, which tells how long its names are. null where there is no index that is understood. */
export async function markIndex(path: string, commit: ObjectName | null): Promise<IndexMark | null> {
  const stats = await nodeFileSystem.lstat(path).catch(() => null);
  if (stats === null) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const identity = [path, dev, ino, size, mtimeNs, ctimeNs].join(':');
  if (identity === known.identity) return known.mark;
  const bytes = await readGitFile(path);
  const mark = bytes === null ? null : markOf(bytes, (commit?.length ?? 40) / 2);
  known = { identity, mark };
  return mark;
}

/** Changes the bytes. */
function markOf(bytes: Buffer, objectBytes: number): IndexMark | null {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + OBJECT_AT + objectBytes;
    if (flagsAt + 2 > bytes.length) return null;
    const isExtended = version >= 3 && (bytes.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    const pathAt = flagsAt + (isExtended ? 4 : 2);
    const end = bytes.indexOf(0, version === 4 ? afterNumber(bytes, pathAt) : pathAt);
    if (end === -1) return null;
    bytes.fill(0, at, at + MODE_AT).fill(0, at + AFTER_MODE, at + OBJECT_AT);
    // Up to version 3 an entry is filled up to a multiple of 8 bytes, with at least one zero.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  return createHash('sha256').update(bytes.subarray(0, at)).digest('hex');
}

/** Version 4 says how much of the path before is dropped: in bytes whose highest bit says that one more follows. */
function afterNumber(bytes: Buffer, at: number): number {
  let end = at;
  while (((bytes[end] ?? 0) & 0x80) !== 0) end += 1;
  return end + 1;
}
