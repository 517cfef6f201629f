/**
 * Tells one state of a git index from another by what is staged. Git also keeps times of files there, and writes them anew
 * when somebody only asks for the status; so the file as a whole tells nothing.
 */

import { createHash } from 'node:crypto';

const HEADER_BYTES = 12;
/** Times, device, inode, owner and size stand around the mode. */
const MODE_AT = 24;
const NAME_OF_OBJECT_AT = 40;
const FLAGS_AT = 60;
const PATH_AT = 62;
const EXTENDED = 0x4000;

/** null for what is no index of a repository with SHA-1 names. */
export function indexMark(bytes: Buffer): string | null {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const hash = createHash('sha256');
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + PATH_AT > bytes.length) return null;
    const isExtended = version >= 3 && (bytes.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
    const path = at + PATH_AT + (isExtended ? 2 : 0);
    const end = bytes.indexOf(0, version === 4 ? afterNumber(bytes, path) : path);
    if (end === -1) return null;
    hash
      .update(bytes.subarray(at + MODE_AT, at + MODE_AT + 4))
      .update(bytes.subarray(at + NAME_OF_OBJECT_AT, end));
    // Up to version 3 an entry is filled up to a multiple of 8 bytes, with at least one zero.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  return hash.digest('hex');
}

/** Version 4 says how much of the path before is dropped: in bytes whose highest bit says that one more follows. */
function afterNumber(bytes: Buffer, at: number): number {
  let end = at;
  while (((bytes[end] ?? 0) & 0x80) !== 0) end += 1;
  return end + 1;
}
