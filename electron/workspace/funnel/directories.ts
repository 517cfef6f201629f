/** Makes directories, each recorded: a rewind takes away what a write had to make. */

import { AppError } from '../../../shared/errors.ts';
import type { FileState } from '../../../shared/file-state.ts';
import type { RelPath } from '../../../shared/ids.ts';
import { parentsOf } from '../../../shared/rel-path.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { MODE_BITS, modeOf } from '../file-state.ts';
import { aim, type FunnelContext, LeftForRecovery, makeChange, type Target } from './change.ts';
import { setTargetMode } from './set-mode.ts';

const NEW_DIRECTORY_MODE = 0o777;

/** Throws `path-wrong-kind` where a file is in the way. */
export async function makeParents(context: FunnelContext, sink: CaptureSink, path: RelPath): Promise<void> {
  for (const parent of parentsOf(path)) {
    const target = await aim(context, sink, parent);
    const { kind } = target.before.state;
    if (kind === 'absent') await makeTarget(context, sink, target);
    else if (kind !== 'directory') {
      throw new AppError('path-wrong-kind', `${parent} is not a directory, so nothing can be put into it.`, {
        path,
      });
    }
  }
}

/** A directory that is there already stays as it is, but for a mode that was asked for. */
export async function createDirectory(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  options: { mode?: number; expect?: FileState } = {},
): Promise<void> {
  const target = await aim(context, sink, text, options.expect);
  const { path, before } = target;
  if (before.state.kind === 'directory') {
    if (options.mode !== undefined) await setTargetMode(context, sink, target, options.mode);
    return;
  }
  if (before.state.kind !== 'absent') {
    throw new AppError('path-exists', `${path} exists and is not a directory.`, { path });
  }
  await makeParents(context, sink, path);
  await makeTarget(context, sink, target, options.mode);
}

async function makeTarget(
  context: FunnelContext,
  sink: CaptureSink,
  target: Target,
  mode?: number,
): Promise<void> {
  const { path, absolute } = target;
  const { fs } = context;
  const wanted = mode === undefined ? undefined : mode & MODE_BITS;
  await makeChange(context, sink, {
    target,
    intent: { kind: 'directory', mode: wanted ?? NEW_DIRECTORY_MODE & ~process.umask() },
    doing: `making the directory ${path}`,
    apply: async () => {
      await fs.mkdir(absolute, wanted ?? NEW_DIRECTORY_MODE);
      try {
        if (wanted !== undefined) await fs.chmod(absolute, wanted);
        return { post: { kind: 'directory', mode: modeOf(await fs.lstat(absolute)) } };
      } catch (error) {
        await fs.rmdir(absolute).catch(() => {
          const message = `The directory ${path} was made, but the disk fails; the next opening of the folder records it.`;
          throw new LeftForRecovery('io-failed', message, { cause: error, path });
        });
        throw error;
      }
    },
  });
}
