/** Starts the app with windows: once per data folder, its pages restricted before the first one is made. */

import { join } from 'node:path';
import { app, protocol, session } from 'electron';
import { toErrorInfo } from '../../shared/errors.ts';
import { systemClock } from '../base/clock.ts';
import { parseWindowArguments, type WindowArguments } from './arguments.ts';
import { composeApp } from './compose-app.ts';
import { openLog } from './log.ts';
import { APP_SCHEME, serveBundle } from './protocol.ts';
import { savePicture } from './screenshot.ts';
import { restrictAllPages, restrictSession } from './security-policy.ts';

/** How long a quit waits for turns to stop and folders to close. */
const QUIT_LIMIT_MS = 8000;

export function runWindowApp(words: readonly string[]): void {
  let given: WindowArguments;
  try {
    given = parseWindowArguments(words, process.cwd());
  } catch (error) {
    process.stderr.write(`${toErrorInfo(error).message}\n`);
    app.exit(2);
    return;
  }
  if (given.userDataDir !== null) app.setPath('userData', given.userDataDir);
  // The lock belongs to the data folder, so it is asked for only after that is known.
  if (!app.requestSingleInstanceLock({ words: [...words], cwd: process.cwd() })) {
    if (given.screenshot !== null) {
      process.stderr.write('The app runs already with these settings; give another --user-data-dir.\n');
    }
    app.exit(given.screenshot === null ? 0 : 1);
    return;
  }
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  restrictAllPages(app);
  void start(given);
}

async function start(given: WindowArguments): Promise<void> {
  const dataFolder = app.getPath('userData');
  const log = openLog(join(dataFolder, 'logs', 'app.log'), systemClock);
  process.on('uncaughtException', (error) => log.problem('uncaught', error));
  process.on('unhandledRejection', (error) => log.problem('unhandled', error));
  try {
    await app.whenReady();
    log.event('start', `version ${app.getVersion()}, Electron ${process.versions.electron}`);
    restrictSession(session.defaultSession);
    const bundle = join(app.getAppPath(), 'dist', 'renderer');
    session.defaultSession.protocol.handle(APP_SCHEME, (request) => serveBundle(bundle, request));
    const composed = await composeApp({ given, dataFolder, log });
    quitOnlyWhenClosed(() =>
      Promise.allSettled([composed.windows.rememberSize(), composed.workspaces.closeAll(QUIT_LIMIT_MS)]),
    );
    app.on('second-instance', (_event, _argv, _cwd, data) => composed.openFromSecondInstance(data));
    app.on('activate', () => {
      if (composed.windows.ids().length === 0) composed.openWindow(null);
    });
    const window = composed.openWindow(given.folder);
    if (given.screenshot !== null) {
      await savePicture(window, given.screenshot, composed.activity);
      await composed.workspaces.closeAll(QUIT_LIMIT_MS);
      app.exit(0);
    }
  } catch (error) {
    log.problem('start', error);
    process.stderr.write(`The app could not start: ${toErrorInfo(error).message}\n`);
    app.exit(1);
  }
}

/** Holds a quit back until every turn has stopped and every folder is closed, so that nothing is left half recorded. */
function quitOnlyWhenClosed(closeAll: () => Promise<unknown>): void {
  let isClosed = false;
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void closeAll().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
}
