/** Changes the permission bits of a file or directory. */

import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import type { FileState } from '../../../shared/file-state.ts';
import { isSystemError } from '../../base/io-errors.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { isUnchanged, MODE_BITS, modeOf, openForReading } from '../file-state.ts';
import { linkMarks } from '../marks.ts';
import { aim, changed, closeRead, type FunnelContext, makeChange, type Target } from './change.ts';

export async function setMode(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  mode: number,
  options: { expect?: FileState } = {},
): Promise<void> {
  await setTargetMode(context, sink, await aim(context, sink, text, options.expect), mode);
}

/** Whoever may read it may run it, as with `chmod +x` under a umask that hides nothing else. */
export async function setExecutable(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  executable: boolean,
): Promise<void> {
  const target = await aim(context, sink, text);
  const { path, before } = target;
  if (before.stats !== null && !before.stats.isFile()) {
    throw new AppError('path-wrong-kind', `${path} is not a file.`, { path });
  }
  const mode = before.stats === null ? 0 : modeOf(before.stats);
  await setTargetMode(context, sink, target, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}

export async function setTargetMode(
  context: FunnelContext,
  sink: CaptureSink,
  target: Target,
  wanted: number,
): Promise<void> {
  const { path, before } = target;
  const { state, stats } = before;
  const mode = wanted & MODE_BITS;
  if (stats === null) throw new AppError('path-not-found', `There is nothing at ${path}.`, { path });
  if (state.kind === 'absent' || state.kind === 'symlink' || before.obstacle === 'special') {
    throw new AppError('path-wrong-kind', `${path} has no mode that can be changed.`, { path });
  }
  if (modeOf(stats) === mode) return;
  const intent: FileState = { ...state, mode };
  await makeChange(context, sink, {
    target,
    intent,
    doing: `changing the mode of ${path}`,
    apply: async () => {
      await changeMode(context, target, mode);
      return { post: intent, marks: linkMarks(stats) };
    },
  });
}

/** Through a handle, because chmod by name would follow a symlink that was swapped in. */
async function changeMode(
  { fs }: FunnelContext,
  { path, absolute, before }: Target,
  mode: number,
): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await openForReading(fs, absolute);
  } catch (error) {
    // Its owner may change the mode of what nobody can read. Windows opens no directories.
    if (!isSystemError(error, 'EACCES', 'EPERM', 'EISDIR')) throw error;
    await fs.chmod(absolute, mode);
    return;
  }
  try {
    if (!isUnchanged(before.stats, await handle.stat({ bigint: true }))) throw changed(path);
    await handle.chmod(mode);
  } finally {
    await closeRead(handle);
  }
}
