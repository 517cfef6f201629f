/** Creates or replaces a regular file: the whole new content beside it first, then one rename. */

import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import { sha256Of } from '../../base/hash.ts';
import { isSystemError } from '../../base/io-errors.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { MODE_BITS, modeOf } from '../file-state.ts';
import { linkMarks, unlinkedMarks } from '../marks.ts';
import { newTempName } from '../temp-name.ts';
import type { WriteOptions } from '../types.ts';
import {
  aim,
  type FunnelContext,
  makeChange,
  type Outcome,
  refuseIrreplaceable,
  type Target,
} from './change.ts';
import { makeParents } from './directories.ts';
import { openInPlace, overwriteInPlace } from './in-place.ts';

/** What a write leaves of the bits: like the system, it takes set-user-id and set-group-id off changed content. */
const KEPT_BITS = 0o1777;
const NEW_FILE_MODE = 0o666;

export async function writeFile(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  content: Uint8Array,
  options: WriteOptions = {},
): Promise<FileState> {
  return writeTarget(context, sink, await aim(context, sink, text, options.expect), content, options);
}

export async function writeTarget(
  context: FunnelContext,
  sink: CaptureSink,
  target: Target,
  content: Uint8Array,
  { mode, separate = false }: Omit<WriteOptions, 'expect'> = {},
): Promise<FileState> {
  const { path, absolute, before } = target;
  if (before.state.kind === 'directory') {
    throw new AppError('path-wrong-kind', `${path} is a directory; a file can't take its place.`, { path });
  }
  refuseIrreplaceable(target);
  const sha256 = sha256Of(content);
  const present = before.stats?.isFile() ? modeOf(before.stats) : null;
  if (mode === undefined && before.state.kind === 'content' && before.state.sha256 === sha256) {
    return before.state;
  }
  const wantedMode = mode === undefined ? present && present & KEPT_BITS : mode & MODE_BITS;
  const intent: FileState = {
    kind: 'content',
    sha256,
    bytes: content.byteLength,
    mode: wantedMode ?? NEW_FILE_MODE & ~process.umask(),
  };
  if (sameState(before.state, intent)) return before.state;
  await makeParents(context, sink, path);

  const inPlace = separate ? null : await openInPlace(context, target);
  const temp = newTempName();
  const tempPath = join(dirname(absolute), temp);
  let made = false;
  let tempMode = intent.mode;
  try {
    return await makeChange(context, sink, {
      target,
      intent,
      temp,
      doing: `writing ${path}`,
      prepare: async () => {
        const handle = await context.fs.open(tempPath, 'wx', wantedMode === null ? NEW_FILE_MODE : 0o600);
        made = true;
        try {
          await handle.writeFile(content);
          await takeOverOwner(context, handle, target);
          if (wantedMode !== null) await handle.chmod(wantedMode);
          if (context.durable) await handle.sync();
          // A default access list of the directory may give a new file another mode than the umask does.
          tempMode = modeOf(await handle.stat({ bigint: true }));
        } finally {
          await handle.close();
        }
      },
      undo: async () => {
        if (made) await context.fs.unlink(tempPath);
      },
      apply: async (): Promise<Outcome> => {
        const post: FileState = { ...intent, mode: tempMode };
        if (inPlace === null) {
          await context.fs.rename(tempPath, absolute);
          return { post, marks: unlinkedMarks(before.stats) };
        }
        const cleaned = await overwriteInPlace(context, {
          handle: inPlace,
          tempPath,
          before,
          mode: tempMode,
          path,
        });
        return { post, marks: linkMarks(before.stats), temporaryStays: !cleaned };
      },
    });
  } finally {
    // It is closed already where it was written.
    await inPlace?.close().catch(() => undefined);
  }
}

/**
 * A replaced file keeps its owner and group as far as we may. An administrator at work in a user's folder also gives new files
 * to the owner of their directory: they would be out of the user's reach otherwise, and a restored set-user-id program the
 * administrator's.
 */
async function takeOverOwner(
  { fs }: FunnelContext,
  handle: FileHandle,
  { absolute, before: { stats } }: Target,
): Promise<void> {
  const isAdministrator = process.geteuid?.() === 0;
  const model = stats?.isFile() ? stats : isAdministrator ? await fs.lstat(dirname(absolute)) : null;
  const own = await handle.stat({ bigint: true });
  if (model === null || (model.uid === own.uid && model.gid === own.gid)) return;
  try {
    await handle.chown(Number(model.uid), Number(model.gid));
  } catch (error) {
    if (!isSystemError(error, 'EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS')) throw error;
  }
}
