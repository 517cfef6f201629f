/** What no page of the app may do: leave the app, open windows, embed, download, ask for devices. */

import type { App, Session, WebContents, WebPreferences } from 'electron';
import { APP_SCHEME } from './protocol.ts';

export const WEB_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  // A file that is dropped on the window would otherwise be opened in its place.
  navigateOnDragDrop: false,
  // Its dictionaries would be fetched from a server.
  spellcheck: false,
} as const satisfies WebPreferences;

/** Addresses a page may load anything from. */
const LOADABLE = new Set([`${APP_SCHEME}:`, 'data:', 'devtools:']);

/** Holds for every page of the app, whoever makes it. */
export function restrictAllPages(app: App): void {
  app.on('web-contents-created', (_event, contents) => restrictPage(contents));
}

function restrictPage(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Both handlers: the request one alone leaves what is only checked, never asked for, allowed. */
export function restrictSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, answer) => {
    const scheme = URL.canParse(details.url) ? new URL(details.url).protocol : '';
    answer({ cancel: !LOADABLE.has(scheme) });
  });
}
