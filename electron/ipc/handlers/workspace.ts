/** Handlers of opening and closing a folder. None takes a path: the native dialog and the list of recent folders do. */

import type { HandlersOf } from '../handlers.ts';
import type { Services } from '../services.ts';

export const workspaceHandlers = ({ app, folders }: Services): HandlersOf<'workspace'> => ({
  'workspace:open-dialog': (_input, { windowId }) => folders.openDialog(windowId),
  'workspace:open-recent': ({ recentId }, { windowId }) => folders.openRecent(windowId, recentId),
  'workspace:forget-recent': async ({ recentId }, { windowId }) => {
    await folders.forgetRecent(recentId);
    return app.state(windowId);
  },
  'workspace:answer-trust': ({ openingId, choice }, { windowId }) =>
    folders.answerTrust(windowId, openingId, choice),
  'workspace:close': async (_input, { windowId }) => {
    await folders.close(windowId);
    return null;
  },
});
