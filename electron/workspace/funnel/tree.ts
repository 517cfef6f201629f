/** Finds everything below a directory for an operation on the whole of it; refuses what could not be brought back. */

import { AppError } from '../../../shared/errors.ts';
import type { RelPath } from '../../../shared/ids.ts';
import { isReservedName } from '../../../shared/rel-path.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { absoluteOf } from '../contain.ts';
import { systemFailure } from '../system-failure.ts';
import { aim, type FunnelContext, type Target } from './change.ts';

/** The directory itself first, then what it holds; a parent always before its children. Nothing is touched or recorded. */
export async function targetsBelow(
  context: FunnelContext,
  sink: CaptureSink,
  top: Target,
): Promise<Target[]> {
  const found: Target[] = [top];
  // The list grows while it is walked.
  for (const target of found) {
    if (target.before.state.kind !== 'directory') continue;
    for (const name of await namesIn(context, target.path)) {
      const path = `${target.path}/${name}`;
      if (isReservedName(name)) {
        throw new AppError('path-reserved', `${top.path} holds ${path}, which is never changed.`, { path });
      }
      if (name.includes('\uFFFD')) {
        throw new AppError('path-invalid', `${target.path} holds a name that is not valid UTF-8.`, { path });
      }
      found.push(await aimBelow(context, sink, path));
    }
  }
  return found;
}

/** Without the bytes: a large tree must not be in memory all at once. */
async function aimBelow(context: FunnelContext, sink: CaptureSink, path: string): Promise<Target> {
  const target = await aim(context, sink, path);
  return { ...target, before: { ...target.before, bytes: null } };
}

async function namesIn(context: FunnelContext, directory: RelPath): Promise<string[]> {
  try {
    return (await context.fs.readdir(absoluteOf(context, directory))).sort();
  } catch (error) {
    throw systemFailure(error, `listing ${directory}`, directory);
  }
}
