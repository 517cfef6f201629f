/** Shows what a turn did to a file, or what going back would do, as a unified diff. */

import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { AppError } from '../../shared/errors.ts';
import { changeBetween, type FileState } from '../../shared/file-state.ts';
import type { CaptureSummary } from '../../shared/history.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { TurnDiff } from '../../shared/session.ts';
import { sha256Of } from '../base/hash.ts';
import type { Folder } from './types.ts';

/** Larger texts are no reading matter, and comparing them takes long. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_COMPARE_MS = 2000;
const CONTEXT_LINES = 3;

/**
 * What the turn did to each path it changed, or to one path (a directory names what is below). Throws AppError
 * `turn-not-found`, `path-not-found` when the turn did not touch the path.
 */
export async function turnDiff(folder: Folder, turn: TurnNumber, path?: string): Promise<TurnDiff[]> {
  if (folder.store.entry(turn) === null) {
    throw new AppError('turn-not-found', `There is no turn ${turn} in this folder's history.`);
  }
  const asked = path === undefined ? null : parseRelPath(path);
  const captures = folder.store
    .captures(turn)
    .filter((capture) => asked === null || capture.path === asked || capture.path.startsWith(`${asked}/`));
  if (asked !== null && captures.length === 0) {
    throw new AppError('path-not-found', `Turn ${turn} did not change ${asked}.`, { path: asked });
  }
  const diffs: TurnDiff[] = [];
  for (const { path: changed, pre, post } of captures) {
    if (post === null) {
      diffs.push({ path: changed, kind: 'none', reason: 'the change is still under way' });
    } else if (asked !== null || changeBetween(pre, post) !== null) {
      diffs.push(await diffStates(folder, changed, pre, post));
    }
  }
  return diffs;
}

/** From one state of a path to another. */
export async function diffStates(
  folder: Folder,
  path: string,
  before: FileState,
  after: FileState,
): Promise<TurnDiff> {
  const none = (reason: string): TurnDiff => ({ path, kind: 'none', reason });
  const change = changeBetween(before, after);
  if (change === null) return none('nothing changed');
  if (change === 'mode') return none(modeReason(before, after));
  for (const state of [before, after]) {
    if (state.kind === 'skipped') return none(`not held: ${state.reason}`);
    if (state.kind === 'content' && state.bytes > MAX_TEXT_BYTES) return none('too large to show');
  }
  if (before.kind === 'directory' || after.kind === 'directory') return none(directoryReason(before, after));
  const [from, to] = [await bytesOf(folder, path, before), await bytesOf(folder, path, after)];
  if (from === 'lost' || to === 'lost') return none('its content is no longer held');
  return diffBytes(path, from, to);
}

/** From one content of a path to another; null is a path that is not there. */
export async function diffBytes(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Promise<TurnDiff> {
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (oldText === null || newText === null) {
    return { path, kind: 'binary', beforeBytes: before?.length ?? null, afterBytes: after?.length ?? null };
  }
  const patch = await compare(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    oldText,
    newText,
  );
  if (patch === undefined) return { path, kind: 'none', reason: 'too many differences to show' };
  return { path, kind: 'text', unified: formatPatch(patch, FILE_HEADERS_ONLY), ...countOf(patch) };
}

/** Added and removed lines; null where there are none to count. */
export async function countLines(
  folder: Folder,
  path: string,
  before: FileState,
  after: FileState,
): Promise<CaptureSummary['lines']> {
  const diff = await diffStates(folder, path, before, after);
  return diff.kind === 'text' ? { added: diff.added, removed: diff.removed } : null;
}

/**
 * null where nothing is. `lost` when nobody holds the bytes any more: a later turn keeps what an earlier one left, else only
 * the disk has it.
 */
async function bytesOf(
  { store, workspace }: Folder,
  path: string,
  state: FileState,
): Promise<Uint8Array | null | 'lost'> {
  if (state.kind === 'symlink') return new TextEncoder().encode(state.target);
  if (state.kind !== 'content') return null;
  try {
    if (store.hasBlob(state.sha256)) return await store.readBlob(state.sha256);
    const bytes = await workspace.read(await workspace.contain(path));
    return sha256Of(bytes) === state.sha256 ? bytes : 'lost';
  } catch (error) {
    // Gone, damaged or not readable: all the same to somebody who wants to look at it.
    if (error instanceof AppError) return 'lost';
    throw error;
  }
}

/** null for what is not text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return '';
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In small steps, so that nothing else waits for it; undefined when it takes too long. */
const compare = (
  oldName: string,
  newName: string,
  oldText: string,
  newText: string,
): Promise<StructuredPatch | undefined> =>
  new Promise((resolve) => {
    structuredPatch(oldName, newName, oldText, newText, undefined, undefined, {
      context: CONTEXT_LINES,
      timeout: MAX_COMPARE_MS,
      callback: resolve,
    });
  });

function countOf(patch: StructuredPatch): { added: number; removed: number } {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function modeReason(before: FileState, after: FileState): string {
  const octal = (state: FileState): string => ('mode' in state ? (state.mode ?? 0).toString(8) : '?');
  return `only the permissions changed: ${octal(before)} to ${octal(after)}`;
}

function directoryReason(before: FileState, after: FileState): string {
  if (before.kind === 'absent') return 'a folder was made';
  if (after.kind === 'absent') return 'a folder was removed';
  return after.kind === 'directory' ? 'a folder took its place' : 'it took the place of a folder';
}
