/** Creates or replaces a regular file: the whole new content beside it first, then one rename. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import { asSha256 } from '../../../shared/ids.ts';
import { sha256Of } from '../../base/hash.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { MODE_BITS, modeOf } from '../file-state.ts';
import { newTempName } from '../temp-name.ts';
import type { ContentSource, WriteOptions } from '../types.ts';
import {
  aim,
  type FunnelContext,
  linkMarks,
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
  content: Uint8Array | ContentSource,
  options: WriteOptions = {},
): Promise<FileState> {
  return writeTarget(context, sink, await aim(context, sink, text, options.expect), content, options.mode);
}

export async function writeTarget(
  context: FunnelContext,
  sink: CaptureSink,
  target: Target,
  content: Uint8Array | ContentSource,
  mode?: number,
): Promise<FileState> {
  const { path, absolute, before } = target;
  if (before.state.kind === 'directory') {
    throw new AppError('path-wrong-kind', `${path} is a directory; a file can't take its place.`, { path });
  }
  refuseIrreplaceable(target);
  const source = content instanceof Uint8Array ? sourceOf(content) : content;
  const present = before.stats?.isFile() ? modeOf(before.stats) : null;
  if (mode === undefined && before.state.kind === 'content' && before.state.sha256 === source.sha256) {
    return before.state;
  }
  const wantedMode = mode === undefined ? present && present & KEPT_BITS : mode & MODE_BITS;
  const intent: FileState = {
    kind: 'content',
    sha256: source.sha256,
    bytes: source.bytes,
    mode: wantedMode ?? NEW_FILE_MODE & ~process.umask(),
  };
  if (sameState(before.state, intent)) return before.state;
  await makeParents(context, sink, path);

  const inPlace = await openInPlace(context, target);
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
          await fill(handle, source, path);
          if (wantedMode !== null) await takeOver(handle, target, wantedMode);
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
          return { post };
        }
        await overwriteInPlace(context, { handle: inPlace, tempPath, before, mode: tempMode, path });
        return { post, marks: linkMarks(before.stats) };
      },
    });
  } finally {
    await inPlace?.close();
  }
}

function sourceOf(bytes: Uint8Array): ContentSource {
  return {
    sha256: sha256Of(bytes),
    bytes: bytes.byteLength,
    async *open() {
      yield bytes;
    },
  };
}

async function fill(handle: FileHandle, source: ContentSource, path: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of source.open()) {
    hash.update(piece);
    // writeFile of a handle goes on where it stands, and writes all of the piece.
    await handle.writeFile(piece);
  }
  if (asSha256(hash.digest('hex')) !== source.sha256) {
    throw new AppError(
      'blob-damaged',
      `The content to be written to ${path} is damaged; the file is left as it is.`,
      {
        path,
      },
    );
  }
}

/** The mode exactly as wanted, whatever the umask; the owner too, where we may (an administrator in a user's folder). */
async function takeOver(handle: FileHandle, { before }: Target, mode: number): Promise<void> {
  const own = await handle.stat({ bigint: true });
  const old = before.stats;
  if (old?.isFile() && (old.uid !== own.uid || old.gid !== own.gid)) {
    await handle.chown(Number(old.uid), Number(old.gid)).catch(() => undefined);
  }
  await handle.chmod(mode);
}
