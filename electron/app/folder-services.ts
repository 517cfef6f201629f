/** How a window gets a folder: by the native dialog, or by a recent one's id. */

import { AppError } from '../../shared/errors.ts';
import type { FolderServices } from '../ipc/index.ts';
import type { RecentFolders } from './recent-folders.ts';
import type { Workspaces } from './workspaces.ts';

export interface FolderServicesOptions {
  readonly workspaces: Workspaces;
  readonly recentFolders: RecentFolders;
  /** The path that the person chose in the native dialog, or null. */
  readonly chooseFolder: (windowId: number) => Promise<string | null>;
}

export function folderServices({
  workspaces,
  recentFolders,
  chooseFolder,
}: FolderServicesOptions): FolderServices {
  return {
    openDialog: async (windowId) => {
      const folder = await chooseFolder(windowId);
      return folder === null ? { kind: 'cancelled' } : workspaces.open(windowId, folder);
    },
    openRecent: async (windowId, recentId) => {
      const folder = recentFolders.pathOf(recentId);
      if (folder === null) throw new AppError('folder-not-found', 'That folder is not in the list any more.');
      return workspaces.open(windowId, folder);
    },
    forgetRecent: (recentId) => recentFolders.forget(recentId),
    answerTrust: (windowId, openingId, choice) => workspaces.answerTrust(windowId, openingId, choice),
    close: (windowId) => workspaces.close(windowId),
    forgetHistory: (windowId) => workspaces.forgetHistory(windowId),
  };
}
