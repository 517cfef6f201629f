/** Changes text in a file; the result goes the way of every write. */

import { AppError } from '../../../shared/errors.ts';
import type { FileState } from '../../../shared/file-state.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { isUnchanged, openForReading } from '../file-state.ts';
import { systemFailure } from '../system-failure.ts';
import { decodeText, editText, type TextEdit } from '../text-edit.ts';
import { aim, changed, closeRead, type FunnelContext, type Target } from './change.ts';
import { writeTarget } from './write-file.ts';

const MOST_TEXT_BYTES = 64n * 1024n * 1024n;

export async function editFile(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  edit: TextEdit,
): Promise<FileState> {
  const target = await aim(context, sink, text);
  const { path, before } = target;
  if (before.stats === null) throw new AppError('path-not-found', `There is no file ${path}.`, { path });
  if (!before.stats.isFile()) throw new AppError('path-wrong-kind', `${path} is not a file.`, { path });
  if (before.stats.size > MOST_TEXT_BYTES) {
    throw new AppError('not-text', `${path} is too large to be edited as text.`, { path });
  }
  const present = before.bytes ?? (await readAgain(context, target));
  const edited = editText(decodeText(present, path), edit, path);
  return writeTarget(context, sink, target, Buffer.from(edited, 'utf8'));
}

async function readAgain({ fs }: FunnelContext, { path, absolute, before }: Target): Promise<Uint8Array> {
  try {
    const handle = await openForReading(fs, absolute);
    try {
      const bytes = await handle.readFile();
      if (!isUnchanged(before.stats, await handle.stat({ bigint: true }))) throw changed(path);
      return bytes;
    } finally {
      await closeRead(handle);
    }
  } catch (error) {
    throw systemFailure(error, `reading ${path}`, path);
  }
}
