/** An index read into memory, and whether its file still looks as it did: for readers that must not leave a trace. */

import { lstatSync, readFileSync } from 'node:fs';

/** https://www.sqlite.org/fileformat2.html#file_format_version_numbers */
const LOG_VERSIONS_AT = 18;
const WITHOUT_LOG = 1;

/** A memory has no log: the two versions of the format say so. */
export function imageWithoutLog(path: string): Buffer {
  const image = readFileSync(path);
  if (image.length > LOG_VERSIONS_AT + 1) image.fill(WITHOUT_LOG, LOG_VERSIONS_AT, LOG_VERSIONS_AT + 2);
  return image;
}

/** Commits that are not in the index's own file yet. */
export const hasLog = (path: string): boolean =>
  (lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Differs once somebody wrote to the file or replaced it. */
export function lookOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'gone' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
