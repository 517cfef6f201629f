/** Opens a folder with its history, its funnel and its recovery, as the app does it, without a session. */

import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { type ChangeableFolder, recover } from '../../electron/rewind/index.ts';
import { type OpenStoreOptions, openStore } from '../../electron/store/index.ts';
import { createFunnel, openWorkspace } from '../../electron/workspace/index.ts';

export interface OpenFolder extends ChangeableFolder {
  /** What opening had to repair, in words for people. */
  readonly recovered: readonly string[];
}

/** `fs` is used by the history and the funnel alike. */
export async function openFolder(
  root: string,
  options: Partial<Omit<OpenStoreOptions, 'root' | 'access'>> = {},
): Promise<OpenFolder> {
  const workspace = await openWorkspace(root, { fs: options.fs ?? nodeFileSystem });
  const store = await openStore({ root: workspace.root, access: 'write', holder: 'a test', ...options });
  const folder = {
    store,
    workspace,
    funnel: createFunnel(workspace, { durable: options.durability !== 'process' }),
  };
  try {
    return { ...folder, recovered: [...store.recovered, ...(await recover(folder))] };
  } catch (error) {
    store.close();
    throw error;
  }
}
