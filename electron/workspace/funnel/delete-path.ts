/** Deletes a file, a link, an empty directory, or a directory with everything in it. */

import { dirname } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { ABSENT, type FileState } from '../../../shared/file-state.ts';
import { isSystemError } from '../../base/io-errors.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { linkMarks } from '../marks.ts';
import { systemFailure } from '../system-failure.ts';
import {
  aim,
  changed,
  checkUnchanged,
  type FunnelContext,
  makeChange,
  type Outcome,
  openToSync,
  refuseIrreplaceable,
  syncAndClose,
  type Target,
} from './change.ts';
import { abandonAll, applyAll, intendAll } from './many.ts';
import { targetsBelow } from './tree.ts';

export async function deletePath(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  options: { recursive?: boolean; expect?: FileState } = {},
): Promise<void> {
  const top = await aim(context, sink, text, options.expect);
  const { path } = top;
  if (top.before.state.kind === 'absent') {
    throw new AppError('path-not-found', `There is nothing at ${path}.`, { path });
  }
  const targets = await targetsBelow(context, sink, top);
  for (const target of targets) refuseIrreplaceable(target);
  if (targets.length > 1) {
    if (options.recursive !== true) {
      throw new AppError('path-wrong-kind', `${path} is a directory that is not empty.`, { path });
    }
    await deleteTree(context, sink, targets);
    return;
  }
  await makeChange(context, sink, {
    target: top,
    intent: ABSENT,
    doing: `deleting ${path}`,
    apply: () => remove(context, top),
  });
}

async function deleteTree(
  context: FunnelContext,
  sink: CaptureSink,
  targets: readonly Target[],
): Promise<void> {
  await intendAll(
    context,
    sink,
    targets.map((target) => ({ target, intent: ABSENT })),
  );
  const deepestFirst = targets.toReversed();
  const done: (Outcome & { readonly target: Target })[] = [];
  let failure: AppError | null = null;
  let unsynced: unknown = null;
  for (const target of deepestFirst) {
    try {
      await checkUnchanged(context, target);
      // Only the last removal needs a sync of its own: with its parent's name gone, the whole tree is.
      const directory =
        target === deepestFirst.at(-1) ? await openToSync(context, dirname(target.absolute)) : null;
      try {
        done.push({ ...(await remove(context, target)), target });
      } finally {
        unsynced = await syncAndClose(directory);
      }
    } catch (error) {
      failure = systemFailure(error, `deleting ${target.path}`, target.path);
      break;
    }
  }
  await applyAll(sink, done);
  await abandonAll(sink, deepestFirst.slice(done.length));
  if (failure !== null) throw failure;
  if (unsynced !== null)
    throw systemFailure(unsynced, 'making the deletion permanent', targets[0]?.path ?? '');
}

async function remove({ fs }: FunnelContext, { path, absolute, before }: Target): Promise<Outcome> {
  if (before.state.kind !== 'directory') {
    await fs.unlink(absolute);
    return { post: ABSENT, marks: linkMarks(before.stats) };
  }
  try {
    await fs.rmdir(absolute);
  } catch (error) {
    // Somebody put something in since we looked: theirs to keep.
    if (isSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw changed(path);
    throw error;
  }
  return { post: ABSENT };
}
