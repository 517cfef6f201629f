/** Clears away what a crash left of one change: its temporary file, and a copy in place that was cut off in the middle. */

import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import type { RelPath } from '../../../shared/ids.ts';
import { absoluteOf, checkParents, contain, type Root } from '../contain.ts';
import { look } from '../file-state.ts';
import { isMissing, systemFailure } from '../system-failure.ts';
import { isTempName } from '../temp-name.ts';
import { openInPlace, overwriteInPlace } from './in-place.ts';

/** What an open capture knows; rows are as untrusted as any input. */
export interface CutOffChange {
  readonly path: string;
  readonly temp: string | null;
  readonly pre: FileState;
  readonly intent: FileState | null;
}

/** A copy was last written this long after its temporary file at most; what came later is a person's. */
const LONGEST_COPY_NS = 60_000_000_000n;

/**
 * `completed`: a file with several names was half written and is whole now. Removes nothing but our temporary file beside a
 * contained path, whatever the row says. Throws AppError `io-failed`, `disk-full`.
 */
export async function clearLeftovers(at: Root, change: CutOffChange): Promise<'completed' | 'cleared'> {
  const { temp } = change;
  if (temp === null || !isTempName(temp)) return 'cleared';
  const path = await containedParent(at, change.path);
  if (path === null) return 'cleared';
  const tempPath = join(dirname(absoluteOf(at, path)), temp);
  if (await completeCopy(at, path, tempPath, change)) return 'completed';
  try {
    await at.fs.unlink(tempPath);
  } catch (error) {
    if (!isMissing(error)) throw systemFailure(error, `removing ${temp}`, path);
  }
  return 'cleared';
}

/** null when the path or one of its parents is not where a change of ours could have been. */
async function containedParent(at: Root, text: string): Promise<RelPath | null> {
  try {
    const path = await contain(at, text);
    await checkParents(at, path);
    return path;
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('path-')) return null;
    throw error;
  }
}

/**
 * An open capture whose temporary file is whole, and whose target has several names and holds neither the before-state nor the
 * intent, was cut off in the middle of the copy. (With one name nothing is ever half: it was changed by somebody else.)
 */
async function completeCopy(
  at: Root,
  path: RelPath,
  tempPath: string,
  { pre, intent, temp }: CutOffChange,
): Promise<boolean> {
  if (intent?.kind !== 'content') return false;
  const present = await look(at, path, null);
  if (!present.stats?.isFile() || present.stats.nlink <= 1n) return false;
  if (sameState(present.state, pre) || sameState(present.state, intent)) return false;
  const copied = await look(at, await contain(at, join(dirname(path), temp ?? '')), null);
  if (copied.stats === null || copied.state.kind !== 'content') return false;
  if (copied.state.sha256 !== intent.sha256) return false;
  const writtenAfterNs = present.stats.mtimeNs - copied.stats.mtimeNs;
  if (writtenAfterNs < 0n || writtenAfterNs > LONGEST_COPY_NS) return false;
  const handle = await openInPlace(at, { path, absolute: absoluteOf(at, path), before: present });
  if (handle === null) return false;
  try {
    const { mode } = intent;
    await overwriteInPlace({ ...at, durable: true }, { handle, tempPath, before: present, mode, path });
    return true;
  } catch (error) {
    throw systemFailure(error, `completing ${path}`, path);
  } finally {
    await handle.close().catch(() => undefined);
  }
}
