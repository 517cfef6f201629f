/** Handlers of the app around the folder. */

import { definedOnly } from '../defined-only.ts';
import type { HandlersOf } from '../handlers.ts';
import type { AppServices } from '../services.ts';

export const appHandlers = (app: AppServices): HandlersOf<'app'> => ({
  'app:state': (_input, { windowId }) => app.state(windowId),
  'app:update-settings': ({ patch }) => app.updateSettings(definedOnly(patch)),
  'app:open-link': ({ url, fromAgent }, { windowId }) => app.openLink(windowId, url, fromAgent),
});
