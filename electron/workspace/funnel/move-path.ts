/**
 * Renames within the folder. Every path on both sides is committed first, then one rename moves the file or the whole tree: a
 * crash finds all of it at the source or all of it at the destination. (Renaming file by file would leave a tree torn in two,
 * with new inodes for directories.)
 */

import { basename, dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { ABSENT } from '../../../shared/file-state.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { checkParents } from '../contain.ts';
import { movedFrom, movedTo } from '../marks.ts';
import { systemFailure } from '../system-failure.ts';
import {
  aim,
  checkUnchanged,
  type FunnelContext,
  openToSync,
  refuseIrreplaceable,
  syncAndClose,
  type Target,
} from './change.ts';
import { makeParents } from './directories.ts';
import { abandonAll, applyAll, type Intended, intendAll } from './many.ts';
import { targetsBelow } from './tree.ts';

export async function movePath(
  context: FunnelContext,
  sink: CaptureSink,
  fromText: string,
  toText: string,
): Promise<void> {
  const from = await aim(context, sink, fromText);
  const to = await aim(context, sink, toText);
  if (from.before.state.kind === 'absent') {
    throw new AppError('path-not-found', `There is nothing at ${from.path}.`, { path: from.path });
  }
  if (from.path === to.path) return;
  const sameInode = isSameInode(from, to);
  const renamesCase = sameInode && !(await hasExactName(context, to));
  if (!renamesCase) refuseDestination(from, to);
  const sources = await targetsBelow(context, sink, from);
  for (const source of sources) refuseIrreplaceable(source);
  if (!renamesCase) await makeParents(context, sink, to.path);

  const pairs = await Promise.all(
    sources.map(async (source) => ({
      source,
      destination: await destinationOf(context, sink, source, from, to, renamesCase),
    })),
  );
  const changes: Intended[] = pairs.flatMap(({ source, destination }) => [
    { target: source, intent: ABSENT },
    { target: destination, intent: source.before.state },
  ]);
  await intendAll(context, sink, changes);
  const unsynced = await renameAll(context, sink, { from, to, sources, changes, renamesCase, sameInode });
  await applyAll(
    sink,
    pairs.flatMap(({ source, destination }) => [
      { target: source, post: ABSENT, marks: [movedTo(destination.path)] },
      { target: destination, post: source.before.state, marks: [movedFrom(source.path)] },
    ]),
  );
  if (unsynced !== null) throw systemFailure(unsynced, 'making the move permanent', to.path);
}

interface Move {
  readonly from: Target;
  readonly to: Target;
  readonly sources: readonly Target[];
  readonly changes: readonly Intended[];
  readonly renamesCase: boolean;
  readonly sameInode: boolean;
}

async function renameAll(context: FunnelContext, sink: CaptureSink, move: Move): Promise<unknown> {
  const { from, to, sources, changes, renamesCase, sameInode } = move;
  const handles: Awaited<ReturnType<typeof openToSync>>[] = [];
  try {
    handles.push(await openToSync(context, dirname(from.absolute)));
    handles.push(await openToSync(context, dirname(to.absolute)));
    for (const target of sources) await checkUnchanged(context, target);
    if (!renamesCase) await checkUnchanged(context, to);
    await checkParents(context, from.path);
    await checkParents(context, to.path);
    // Between two names of one file (hard links) rename does nothing and says it did.
    if (sameInode && !renamesCase) await context.fs.unlink(from.absolute);
    else await context.fs.rename(from.absolute, to.absolute);
  } catch (error) {
    for (const handle of handles) await handle?.close().catch(() => undefined);
    await abandonAll(
      sink,
      changes.map(({ target }) => target),
    );
    throw systemFailure(error, `moving ${from.path} to ${to.path}`, from.path);
  }
  const results = [];
  for (const handle of handles) results.push(await syncAndClose(handle));
  return results.find((result) => result !== null) ?? null;
}

/** What stood at the destination of each path; with a rename by case only, the source itself stands there. */
async function destinationOf(
  context: FunnelContext,
  sink: CaptureSink,
  source: Target,
  from: Target,
  to: Target,
  renamesCase: boolean,
): Promise<Target> {
  const target =
    source === from ? to : await aim(context, sink, to.path + source.path.slice(from.path.length));
  return renamesCase
    ? { ...target, before: { state: ABSENT, stats: null, bytes: null, obstacle: null } }
    : target;
}

function refuseDestination(from: Target, to: Target): void {
  const about = { path: to.path };
  const isTree = from.before.state.kind === 'directory';
  if (isTree && to.path.startsWith(`${from.path}/`)) {
    throw new AppError('path-invalid', `${from.path} can't be moved into itself.`, about);
  }
  if (to.before.state.kind === 'absent') return;
  if (to.before.state.kind === 'directory') {
    const code = isTree ? 'path-exists' : 'path-wrong-kind';
    throw new AppError(code, `${to.path} is a directory; give the full new name instead.`, about);
  }
  if (isTree) {
    throw new AppError('path-wrong-kind', `${to.path} exists and is not a directory.`, about);
  }
  refuseIrreplaceable(to);
}

function isSameInode({ before: { stats: a } }: Target, { before: { stats: b } }: Target): boolean {
  return a !== null && b !== null && a.ino !== 0n && a.dev === b.dev && a.ino === b.ino;
}

/** On file systems that fold case `A.txt` is found where only `a.txt` stands. */
async function hasExactName({ fs }: FunnelContext, { path, absolute }: Target): Promise<boolean> {
  try {
    return (await fs.readdir(dirname(absolute))).includes(basename(absolute));
  } catch (error) {
    throw systemFailure(error, `listing the directory of ${path}`, path);
  }
}
