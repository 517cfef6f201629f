/** Puts the rooms of the app together. */

import { dirname, join } from 'node:path';
import { app, type BrowserWindow, nativeTheme, safeStorage, shell } from 'electron';
import { z } from 'zod';
import { toErrorInfo } from '../../shared/errors.ts';
import type { AppEvent } from '../../shared/ipc.ts';
import { systemClock } from '../base/clock.ts';
import { electronPort } from '../ipc/electron-port.ts';
import { allHandlers, registerHandlers } from '../ipc/index.ts';
import { openSession } from '../session/index.ts';
import { openWorkspace } from '../workspace/index.ts';
import { agentMakers } from './agent-makers.ts';
import { Agents, openAgentChoice } from './agents.ts';
import { type AppStateSources, appServices, appStateOf } from './app-services.ts';
import { parseWindowArguments, type WindowArguments } from './arguments.ts';
import { chooseFolder, confirmLink, saySetAside } from './dialogs.ts';
import { folderServices } from './folder-services.ts';
import { findHistory, setHistoryAside } from './folders.ts';
import { IpcActivity } from './ipc-activity.ts';
import { openKnownStores } from './known-stores.ts';
import type { Log } from './log.ts';
import { installMenu } from './menu.ts';
import { modelFetch } from './model-fetch.ts';
import { APP_ORIGIN } from './protocol.ts';
import { openRecentFolders } from './recent-folders.ts';
import { openSecrets, vaultOf } from './secrets.ts';
import { openSettings } from './settings-file.ts';
import { openWindowState } from './window-state.ts';
import { Windows } from './windows.ts';
import { Workspaces } from './workspaces.ts';

export interface ComposeOptions {
  readonly given: WindowArguments;
  readonly dataFolder: string;
  readonly log: Log;
}

export interface ComposedApp {
  readonly windows: Windows;
  readonly workspaces: Workspaces;
  readonly activity: IpcActivity;
  /** Opens a window, and the folder in it. */
  openWindow(folder: string | null): BrowserWindow;
  openFromSecondInstance(data: unknown): void;
}

const secondInstanceSchema = z.object({ words: z.array(z.string()), cwd: z.string() });

export async function composeApp({ given, dataFolder, log }: ComposeOptions): Promise<ComposedApp> {
  const setAside: string[] = [];
  const onSetAside = (message: string): void => {
    setAside.push(message);
    log.event('settings', message);
  };
  const settings = await openSettings(dataFolder, onSetAside);
  const knownStores = await openKnownStores(dataFolder, onSetAside);
  const recentFolders = await openRecentFolders(dataFolder, systemClock, onSetAside);
  const windowState = await openWindowState(dataFolder, onSetAside);
  const choice = await openAgentChoice(dataFolder, onSetAside);
  const secrets = await openSecrets(dataFolder, await vaultOf(safeStorage, process.platform), onSetAside);

  const applyTheme = (): void => {
    nativeTheme.themeSource = given.theme ?? settings.current().theme;
  };
  applyTheme();

  const windows = new Windows({
    preload: join(import.meta.dirname, 'preload.cjs'),
    state: windowState,
    size: given.windowSize,
    onClosed: (windowId) => void workspaces.close(windowId).catch((error) => log.problem('close', error)),
  });
  const agents: Agents = new Agents({
    settings,
    secrets,
    choice,
    makers: agentMakers(process.env, await modelFetch(process.env)),
    onChanged: () => tellAllWindows(),
  });
  // From a checkout the program is a project like any other.
  const refusedFolders = app.isPackaged ? [dataFolder, dirname(process.execPath)] : [dataFolder];
  const workspaces = new Workspaces({
    locate: (folder) =>
      openWorkspace(folder, { allowHome: settings.current().allowHomeFolder, refusedFolders }),
    findHistory,
    setHistoryAside: (root) => setHistoryAside(root, systemClock),
    knownStores,
    openSession: (root) =>
      openSession({
        folder: root,
        access: 'write',
        settings: settings.current(),
        agentOf: agents.forFolder(root),
        holder: 'the osFoundry Rewind window',
        backgroundBaseline: true,
        refusedFolders,
      }),
    onOpened: async (root) => {
      await recentFolders.opened(root);
      tellAllWindows();
    },
    emit: (windowId, event) => windows.send(windowId, event),
  });
  const sources: AppStateSources = {
    version: app.getVersion(),
    platform: process.platform,
    settings,
    theme: given.theme,
    recentFolders,
    workspaces,
    agents,
  };
  const tellAllWindows = (): void => {
    for (const windowId of windows.ids()) {
      void appStateOf(windowId, sources)
        .then((state) => windows.send(windowId, { type: 'app-state-changed', state }))
        .catch((error) => log.problem('state', error));
    }
  };

  const activity = new IpcActivity();
  registerHandlers(
    activity.watch(electronPort),
    {
      origin: APP_ORIGIN,
      isTrusted: (windowId) => windows.has(windowId),
      workspaceOf: (windowId) => workspaces.of(windowId),
      onProblem: (channel, error) => log.problem(channel, error),
    },
    allHandlers({
      app: appServices({
        ...sources,
        linkOpenerOf: (windowId) => ({
          confirm: (url) => confirmLink(windows.get(windowId), url),
          open: (url) => shell.openExternal(url),
        }),
        onListening: (windowId) => windows.listening(windowId),
        onSettingsChanged: () => {
          applyTheme();
          tellAllWindows();
        },
      }),
      folders: folderServices({
        workspaces,
        recentFolders,
        chooseFolder: (windowId) => chooseFolder(windows.get(windowId)),
      }),
      agents: agents.services,
    }),
  );

  const openWindow = (folder: string | null): BrowserWindow => {
    const window = windows.create();
    if (folder !== null) void activity.during(() => openInNewWindow(window.webContents.id, folder));
    return window;
  };
  const openInNewWindow = async (windowId: number, folder: string): Promise<void> => {
    const event: AppEvent = await workspaces.open(windowId, folder).then(
      (opening) => ({ type: 'workspace-opened', opening }),
      (error: unknown) => ({ type: 'workspace-failed', error: toErrorInfo(error) }),
    );
    windows.sendOnceListening(windowId, event);
  };

  installMenu(
    {
      newWindow: () => openWindow(null),
      tellWindow: (command) => windows.sendToFront({ type: 'menu', command }),
    },
    process.platform,
  );
  if (setAside.length > 0 && given.screenshot === null) {
    void saySetAside(setAside);
  }

  return {
    windows,
    workspaces,
    activity,
    openWindow,
    openFromSecondInstance: (data) => {
      const sent = secondInstanceSchema.safeParse(data);
      if (!sent.success) return;
      const { folder } = parseWindowArguments(sent.data.words, sent.data.cwd);
      if (folder === null) windows.showFront();
      else openWindow(folder);
    },
  };
}
