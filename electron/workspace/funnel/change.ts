/** The frame around every change: the before-state is committed first, and how the change ended is committed after. */

import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import type { RelPath } from '../../../shared/ids.ts';
import { isSystemError } from '../../base/io-errors.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { absoluteOf, checkParents, contain, type Root } from '../contain.ts';
import { isUnchanged, look, openForReading, piecesOf, type Sight, statsOf } from '../file-state.ts';
import { systemFailure } from '../system-failure.ts';

export interface FunnelContext extends Root {
  /** Also sync, so that a power loss is covered. */
  readonly durable: boolean;
}

/** A contained path and what stands there before the change. */
export interface Target {
  readonly path: RelPath;
  readonly absolute: string;
  readonly before: Sight;
}

export interface Outcome {
  readonly post: FileState;
  readonly marks?: readonly string[];
  /** Our temporary file could not be removed: the capture that names it stays open, and recovery removes it. */
  readonly temporaryStays?: boolean;
}

/** Steps 1 to 3. `expect` refuses with `path-changed` what is no longer as the caller saw it. */
export async function aim(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  expect?: FileState,
): Promise<Target> {
  const path = await contain(context, text);
  const before = await look(context, path, sink.maxFileBytes);
  if (expect !== undefined && !sameState(expect, before.state)) throw changed(path);
  return { path, absolute: absoluteOf(context, path), before };
}

/** What is replaced or removed must be held first, or be left alone by a stated policy; nothing else may be lost. */
export function refuseIrreplaceable({ path, before: { state, obstacle } }: Target): void {
  if (obstacle === null || obstacle === 'too-large' || state.kind !== 'skipped') return;
  if (obstacle === 'special') {
    throw new AppError(
      'path-wrong-kind',
      `${path} ${state.reason}; only files, links and directories are changed.`,
      {
        path,
      },
    );
  }
  throw new AppError(
    'io-failed',
    `${path} ${state.reason}; it is left alone because its content can't be kept.`,
    {
      path,
    },
  );
}

/** Step 4: the before bytes go into the store, unless this entry holds the path already. */
export async function hold(
  context: FunnelContext,
  sink: CaptureSink,
  { path, absolute, before }: Target,
): Promise<void> {
  if (before.state.kind !== 'content' || sink.hasCapture(path)) return;
  if (before.bytes !== null) {
    await sink.putBlob(before.bytes);
    return;
  }
  let handle: FileHandle;
  try {
    handle = await openForReading(context.fs, absolute);
  } catch (error) {
    throw systemFailure(error, `reading ${path}`, path);
  }
  try {
    const { sha256 } = await sink.putBlobFrom(piecesOf(handle));
    if (sha256 !== before.state.sha256) throw changed(path);
  } catch (error) {
    throw systemFailure(error, `keeping ${path}`, path);
  } finally {
    await closeRead(handle);
  }
}

/** What was only read can't be lost by a close that fails. */
export const closeRead = (handle: FileHandle): Promise<void> => handle.close().catch(() => undefined);

/** The last look before the change: nobody edited the path since it was captured, and containment still holds. */
export async function checkUnchanged(
  context: FunnelContext,
  { path, absolute, before }: Target,
): Promise<void> {
  if (!isUnchanged(before.stats, await statsOf(context.fs, absolute))) throw changed(path);
  // Last, so that as little as possible fits between it and the change.
  await checkParents(context, path);
}

export interface Change {
  readonly target: Target;
  readonly intent: FileState;
  /** Name of the temporary file beside the target. */
  readonly temp?: string;
  /** Noun for errors: "writing a.txt". */
  readonly doing: string;
  /** Everything that may fail without a trace; `undo` removes what it left. */
  readonly prepare?: () => Promise<void>;
  readonly undo?: () => Promise<void>;
  /** The one step that changes the path. When it throws, the path is as it was. */
  readonly apply: () => Promise<Outcome>;
}

/** Steps 4 to 7. */
export async function makeChange(
  context: FunnelContext,
  sink: CaptureSink,
  change: Change,
): Promise<FileState> {
  const { target, intent, temp, doing } = change;
  const { path, before } = target;
  await hold(context, sink, target);
  await sink.intend(path, before.state, intent, temp ?? null);
  let outcome: Outcome;
  let directory: FileHandle | null = null;
  try {
    if (change.prepare !== undefined) {
      // A temporary file must not come into being outside either.
      await checkParents(context, path);
      await change.prepare();
    }
    directory = await openToSync(context, dirname(target.absolute));
    await checkUnchanged(context, target);
    outcome = await change.apply();
  } catch (error) {
    await directory?.close().catch(() => undefined);
    await giveUp(sink, change, error);
    throw systemFailure(error, doing, path);
  }
  const unsynced = await syncAndClose(directory);
  if (outcome.temporaryStays !== true) await sink.applied(path, outcome.post, outcome.marks);
  if (unsynced !== null) throw systemFailure(unsynced, `making the change of ${path} permanent`, path);
  return outcome.post;
}

/** The path may be half written, and recovery completes it: the capture must stay open. */
export class LeftForRecovery extends AppError {}

async function giveUp(sink: CaptureSink, { target, undo }: Change, error: unknown): Promise<void> {
  if (error instanceof LeftForRecovery) return;
  try {
    await undo?.();
    await sink.abandoned(target.path);
  } catch {
    // What went wrong first is the error to tell. The capture stays open, and recovery cleans up behind it.
  }
}

/** Opened before the change, because afterwards a failed call could no longer call it off. null: nothing to sync. */
export async function openToSync(context: FunnelContext, directory: string): Promise<FileHandle | null> {
  if (!context.durable || process.platform === 'win32') return null;
  try {
    return await context.fs.open(directory, 'r');
  } catch (error) {
    // A directory that may be written but not listed can't be synced by anybody.
    if (isSystemError(error, 'EACCES')) return null;
    throw error;
  }
}

/** The error, when the disk could not promise to keep it. */
export async function syncAndClose(directory: FileHandle | null): Promise<unknown> {
  if (directory === null) return null;
  try {
    await directory.sync();
    return null;
  } catch (error) {
    // Some network file systems can't sync directories.
    return isSystemError(error, 'EINVAL', 'ENOTSUP') ? null : error;
  } finally {
    await directory.close().catch(() => undefined);
  }
}

export const changed = (path: RelPath): AppError =>
  new AppError(
    'path-changed',
    `${path} was changed by someone else in the meantime; it is left as it is now.`,
    {
      path,
    },
  );
