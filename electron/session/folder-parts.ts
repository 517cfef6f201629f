/** What a session is built over: one open folder with its history, its funnel and its baseline, opened and repaired in order. */

import { recover } from '../rewind/index.ts';
import { type CheckpointStore, forgetStore, openStore } from '../store/index.ts';
import {
  createFunnel,
  isReadOnlyFolder,
  openWorkspace,
  type Workspace,
  type WriteFunnel,
} from '../workspace/index.ts';
import { Baseline } from './baseline.ts';
import { captureInterruptedStep } from './interrupted-step.ts';
import type { ProgressBoard } from './progress-board.ts';
import { settleConversation } from './settle.ts';
import type { OpenSessionOptions } from './types.ts';

export interface FolderParts {
  readonly workspace: Workspace;
  readonly store: CheckpointStore;
  readonly funnel: WriteFunnel;
  readonly baseline: Baseline;
  /** What opening had to repair, in words for people. */
  readonly recovered: readonly string[];
}

/**
 * A folder that can't be written to is opened for looking. Throws what openWorkspace and openStore throw; then nothing is
 * left open.
 */
export async function openFolderParts(
  options: OpenSessionOptions,
  progress: ProgressBoard,
): Promise<FolderParts> {
  const { settings } = options;
  const workspace = await openWorkspace(options.folder, {
    allowHome: settings.allowHomeFolder,
    ...(options.refusedFolders === undefined ? {} : { refusedFolders: options.refusedFolders }),
  });
  const { root } = workspace;
  const access = options.access === 'write' && !(await isReadOnlyFolder(root)) ? 'write' : 'read';
  const store = await openStore({
    root,
    access,
    maxFileBytes: settings.maxFileBytes,
    durability: settings.durability,
    holder: options.holder,
  });
  const baseline = new Baseline({ store, root, settings, progress });
  try {
    const parts = {
      workspace,
      store,
      baseline,
      funnel: createFunnel(workspace, { durable: settings.durability === 'full' }),
    };
    const recovered = access === 'write' ? await repair(parts) : [];
    return { ...parts, recovered: [...store.recovered, ...recovered] };
  } catch (error) {
    await baseline.close();
    store.close();
    throw error;
  }
}

/** What a crash cut off: first the changes one by one, then the unseen step, then the conversation that tells of both. */
async function repair(parts: Omit<FolderParts, 'recovered'>): Promise<string[]> {
  const recovered = await recover(parts);
  const captured = await captureInterruptedStep(parts.store, parts.baseline);
  settleConversation(parts.store);
  return [...recovered, ...captured];
}

/** Removes the history for good and begins a new one. */
export async function forgetFolderHistory(
  parts: FolderParts,
  options: OpenSessionOptions,
  progress: ProgressBoard,
): Promise<FolderParts> {
  await parts.baseline.close();
  parts.store.close();
  await forgetStore(parts.workspace.root);
  return openFolderParts(options, progress);
}
