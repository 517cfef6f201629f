/**
 * Settles what a crash cut off, from what is really on disk. It changes no content of its own accord: finishing or rolling
 * back would change a person's files when nobody asks for it (docs/decisions/0003). Only a file that is half written is completed.
 */

import { toErrorInfo } from '../../shared/errors.ts';
import { type FileState, sameState } from '../../shared/file-state.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { CaptureRow, EntryRow } from '../store/types.ts';
import { clearLeftovers } from '../workspace/index.ts';
import { presentState } from './present-state.ts';
import { finish } from './settle.ts';
import type { ChangeableFolder, Folder } from './types.ts';
import { type Intended, underWay } from './under-way.ts';
import * as words from './words.ts';

/** Run at every opening for writing, before anything else. Returns what it had to do, in words for people. */
export async function recover(folder: ChangeableFolder): Promise<string[]> {
  const { store } = folder;
  const leftovers = await settlePending(folder);
  const cutOff = store.entries().filter(({ kind, outcome }) => kind === 'agent' && outcome === 'running');
  for (const { turn } of cutOff) store.finishTurn(turn, 'interrupted');
  return [
    ...leftovers,
    ...cutOff.map(({ turn }) => words.recoveredTurn(turn)),
    ...(await settleInterrupted(folder)),
  ];
}

/** Gives every change that was begun and not ended the after-state that the disk has (I7). Returns what there was to tell. */
export async function settlePending(folder: Folder, turn?: TurnNumber): Promise<string[]> {
  const lines: string[] = [];
  for (const capture of folder.store.pendingCaptures()) {
    if (turn !== undefined && capture.turn !== turn) continue;
    lines.push(...(await clear(folder, capture)));
    folder.store.settleCapture(capture.turn, capture.path, await presentAt(folder, capture.path));
  }
  return lines;
}

/** One file that can't be cleared up must not keep the folder from being opened. */
async function clear({ workspace }: Folder, capture: CaptureRow): Promise<string[]> {
  try {
    const result = await clearLeftovers(workspace, capture);
    return result === 'completed' ? [words.completedHardLink(capture.path)] : [];
  } catch (error) {
    return [words.leftoverStays(capture.path, capture.temp ?? '', toErrorInfo(error).message)];
  }
}

/** Ends rewinds that were cut off: each of their paths is done or not done. */
export async function settleInterrupted(folder: ChangeableFolder): Promise<string[]> {
  const { store } = folder;
  const cutOff = store.entries().filter(({ kind, outcome }) => kind === 'rewind' && outcome === 'running');
  const lines: string[] = [];
  for (const entry of cutOff.reverse()) {
    await settlePending(folder, entry.turn);
    const own = new Map(store.captures(entry.turn).map((capture) => [capture.path as string, capture]));
    const intended = underWay(store, entry.turn) ?? nothingButCaptures([...own.keys()]);
    lines.push(...(await closeFolders(folder, entry.turn, intended, [...own.values()])));
    const wanted = wantedStates(folder, entry);
    const done: string[] = [];
    for (const path of intended.toDo) {
      const state = own.get(path)?.post ?? (await presentAt(folder, path));
      if (sameState(state, wanted.get(path) ?? state)) done.push(path);
    }
    const report = finish(store, entry, intended, {
      restored: done.filter((path) => wanted.get(path)?.kind !== 'absent'),
      deleted: done.filter((path) => wanted.get(path)?.kind === 'absent'),
      kept: [],
      failed: [],
      outcome: 'interrupted',
    });
    lines.push(words.recoveredRewind(entry.turn, report.kind, done.length, report.notDone.length));
  }
  return lines;
}

/** Folders without write permission that the rewind had opened for its own time, and not closed again. */
async function closeFolders(
  { store, funnel }: ChangeableFolder,
  rewind: TurnNumber,
  { same, toDo, kept, failed }: Intended,
  captures: readonly CaptureRow[],
): Promise<string[]> {
  const lines: string[] = [];
  const known = new Set<string>([...same, ...toDo, ...kept, ...failed.map(({ path }) => path)]);
  for (const { path, pre, post } of captures.toReversed()) {
    if (known.has(path) || pre.kind !== 'directory' || post?.kind !== 'directory') continue;
    if (sameState(pre, post)) continue;
    try {
      await funnel.setMode(store.resumeTurn(rewind), path, pre.mode, { expect: post });
    } catch (error) {
      lines.push(`${path}: ${words.folderStaysOpen(pre.mode, toErrorInfo(error).message)}`);
    }
  }
  return lines;
}

const nothingButCaptures = (paths: readonly string[]): Intended => ({
  whole: false,
  same: [],
  toDo: [...paths],
  kept: [],
  conflicts: [],
  failed: [],
});

/** By path: the oldest before-state of what the entry undoes. */
function wantedStates({ store }: Folder, entry: EntryRow): Map<string, FileState> {
  const undone: readonly CaptureRow[] =
    entry.redoOf === null ? store.capturesInForce(entry.target ?? entry.turn) : store.captures(entry.redoOf);
  const wanted = new Map<string, FileState>();
  for (const { path, pre } of undone) if (!wanted.has(path)) wanted.set(path, pre);
  return wanted;
}

/** Nothing is known of what a row outside of the folder names. */
const presentAt = async ({ workspace }: Folder, path: string): Promise<FileState> =>
  (await presentState(workspace, path)) ?? { kind: 'skipped', reason: words.OUTSIDE };
