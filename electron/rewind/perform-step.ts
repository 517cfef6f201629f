/** Does one step of a rewind through the funnel, which captures what it replaces and refuses what changed meanwhile. */

import { AppError } from '../../shared/errors.ts';
import type { OpenEntry } from '../store/types.ts';
import type { OpenedFolders } from './opened-folders.ts';
import type { SharedFiles } from './shared-files.ts';
import { namesIn } from './spellings.ts';
import type { Step } from './steps.ts';
import type { ChangeableFolder } from './types.ts';
import * as words from './words.ts';

/** `not-empty`: the directory stays, because it holds what is not ours. */
export type StepResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'not-empty' }
  /** This path can't go back, and the others can. */
  | { readonly kind: 'failed'; readonly reason: string };

/** What the steps of one rewind have to know of each other. */
export interface Surroundings {
  readonly opened: OpenedFolders;
  readonly shared: SharedFiles;
}

/** Throws what no other path would survive either: a full disk, a failing one, a bug. */
export async function performStep(
  folder: ChangeableFolder,
  entry: OpenEntry,
  { opened, shared }: Surroundings,
  step: Step,
): Promise<StepResult> {
  try {
    return await perform(folder, entry, { opened, shared }, step);
  } catch (error) {
    const reason = reasonOfThisPath(error);
    if (reason === null) throw error;
    return { kind: 'failed', reason };
  }
}

async function perform(
  { store, workspace, funnel }: ChangeableFolder,
  entry: OpenEntry,
  { opened, shared }: Surroundings,
  step: Step,
): Promise<StepResult> {
  const { path } = step;
  if (step.do !== 'set-mode' && step.do !== 'set-directory-mode') await opened.openAround(path);
  switch (step.do) {
    case 'remove':
      await funnel.deletePath(entry, path, { expect: step.expect });
      break;
    case 'remove-directory': {
      if ((await namesIn(workspace, path)).length > 0) return { kind: 'not-empty' };
      const mode = opened.take(path) ?? step.mode;
      await funnel.deletePath(entry, path, { expect: { kind: 'directory', mode } });
      break;
    }
    case 'create-directory':
      await funnel.createDirectory(entry, path, { mode: step.mode, expect: { kind: 'absent' } });
      break;
    case 'put':
      if (step.state.kind === 'symlink') {
        await funnel.createSymlink(entry, path, step.state.target, { expect: step.expect });
      } else {
        const bytes = await store.readBlob(step.state.sha256);
        await funnel.writeFile(entry, path, bytes, {
          mode: step.state.mode,
          expect: step.expect,
          separate: await shared.isSeparate(path),
        });
      }
      break;
    case 'set-mode':
      if (await shared.isSeparate(path)) {
        const { expect, mode } = step;
        await funnel.writeFile(entry, path, await workspace.read(path), { mode, expect, separate: true });
      } else await funnel.setMode(entry, path, step.mode, { expect: step.expect });
      break;
    case 'set-directory-mode': {
      const mode = opened.take(path) ?? step.from;
      await funnel.setMode(entry, path, step.mode, { expect: { kind: 'directory', mode } });
      break;
    }
  }
  return { kind: 'done' };
}

/** null when the failure is not about this path alone. */
function reasonOfThisPath(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case 'path-changed':
      return words.CHANGED_MEANWHILE;
    case 'path-outside-workspace':
    case 'path-reserved':
    case 'path-invalid':
      return words.OUTSIDE;
    case 'blob-missing':
      return words.lostReason('missing');
    case 'blob-damaged':
      return words.lostReason('damaged');
    case 'path-not-found':
    case 'path-exists':
    case 'path-wrong-kind':
      return error.message;
    default:
      return null;
  }
}
