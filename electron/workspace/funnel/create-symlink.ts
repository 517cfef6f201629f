/** Puts a symlink at a path, replacing a file or another link in one step. */

import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { type FileState, sameState } from '../../../shared/file-state.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { newTempName } from '../temp-name.ts';
import { aim, type FunnelContext, makeChange, refuseIrreplaceable } from './change.ts';
import { makeParents } from './directories.ts';

/** The target's text is kept as it is and never looked at: a link may lead anywhere, and nothing here follows it. */
export async function createSymlink(
  context: FunnelContext,
  sink: CaptureSink,
  text: string,
  linkTarget: string,
  options: { expect?: FileState } = {},
): Promise<void> {
  const target = await aim(context, sink, text, options.expect);
  const { path, absolute, before } = target;
  // Read again, a target with U+FFFD (or what is written as it) could not be told from one that is no UTF-8.
  if (linkTarget === '' || linkTarget.includes('\0') || /[\uFFFD\p{Surrogate}]/u.test(linkTarget)) {
    throw new AppError('path-invalid', `The link ${path} can't have that target.`, { path });
  }
  if (before.state.kind === 'directory') {
    throw new AppError('path-wrong-kind', `${path} is a directory; a link can't take its place.`, { path });
  }
  refuseIrreplaceable(target);
  const intent: FileState = { kind: 'symlink', target: linkTarget };
  if (sameState(before.state, intent)) return;
  await makeParents(context, sink, path);
  const { fs } = context;
  const temp = newTempName();
  const tempPath = join(dirname(absolute), temp);
  let made = false;
  await makeChange(context, sink, {
    target,
    intent,
    temp,
    doing: `making the link ${path}`,
    prepare: async () => {
      await fs.symlink(linkTarget, tempPath);
      made = true;
    },
    undo: async () => {
      if (made) await fs.unlink(tempPath);
    },
    apply: async () => {
      await fs.rename(tempPath, absolute);
      return { post: intent };
    },
  });
}
