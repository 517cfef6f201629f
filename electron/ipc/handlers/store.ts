/** Handlers of the care for a folder's history. */

import { definedOnly } from '../defined-only.ts';
import type { HandlersOf } from '../handlers.ts';
import type { FolderServices } from '../services.ts';

export const storeHandlers = (folders: FolderServices): HandlersOf<'store'> => ({
  'store:verify': (_input, { session }) => session.verify(),
  'store:stats': (_input, { session }) => session.stats(),
  'store:prune': ({ workspaceId: _, ...policy }, { session }) => session.prune(definedOnly(policy)),
  'store:forget': async (_input, { windowId }) => {
    await folders.forgetHistory(windowId);
    return null;
  },
});
