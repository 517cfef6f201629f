/** What the app around a folder does for its windows: state, settings, links. */

import type { AppState } from '../../shared/app-state.ts';
import type { Settings } from '../../shared/settings.ts';
import type { AppServices } from '../ipc/index.ts';
import type { Agents } from './agents.ts';
import type { DataFile } from './data-file.ts';
import { type LinkOpener, openLink } from './open-link.ts';
import type { RecentFolders } from './recent-folders.ts';
import type { Workspaces } from './workspaces.ts';

export interface AppStateSources {
  readonly version: string;
  readonly platform: string;
  readonly settings: DataFile<Settings>;
  /** For this run, from the command line. */
  readonly theme: 'light' | 'dark' | null;
  readonly recentFolders: RecentFolders;
  readonly workspaces: Workspaces;
  readonly agents: Agents;
}

export async function appStateOf(windowId: number, sources: AppStateSources): Promise<AppState> {
  const recentFolders = await sources.recentFolders.list();
  return {
    version: sources.version,
    platform: sources.platform,
    settings: settingsOf(sources),
    recentFolders,
    workspace: sources.workspaces.infoOf(windowId),
    agents: sources.agents.list(),
    keysArePersistent: sources.agents.keysArePersistent,
    firstRun: sources.agents.isFirstRun(),
  };
}

export interface AppServicesOptions extends AppStateSources {
  readonly linkOpenerOf: (windowId: number) => LinkOpener;
  /** The window's page is there, and gets events from now on. */
  readonly onListening: (windowId: number) => void;
  readonly onSettingsChanged: () => void;
}

export function appServices(options: AppServicesOptions): AppServices {
  return {
    state: async (windowId) => {
      const state = await appStateOf(windowId, options);
      options.onListening(windowId);
      return state;
    },
    updateSettings: async (patch) => {
      await options.settings.update((present) => ({ ...present, ...patch }));
      if (patch.agentId !== undefined) await options.agents.markChosen();
      options.onSettingsChanged();
      return settingsOf(options);
    },
    openLink: (windowId, url, fromAgent) => openLink(url, fromAgent, options.linkOpenerOf(windowId)),
  };
}

function settingsOf({ settings, theme }: AppStateSources): Settings {
  const saved = settings.current();
  return theme === null ? saved : { ...saved, theme };
}
