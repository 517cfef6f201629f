/** What the handlers ask of the app around a session: folders, settings, links, agents. The app room provides it. */

import type {
  AgentDescription,
  AppState,
  DetectedAgents,
  ModelList,
  ProviderTest,
  WorkspaceOpening,
} from '../../shared/app-state.ts';
import type { ExternalAgent, Provider, Settings } from '../../shared/settings.ts';

export interface AppServices {
  state(windowId: number): Promise<AppState>;
  updateSettings(patch: Partial<Settings>): Promise<Settings>;
  /** True when the link was opened, false when the person said no. */
  openLink(windowId: number, url: string, fromAgent: boolean): Promise<boolean>;
}

export interface FolderServices {
  openDialog(windowId: number): Promise<WorkspaceOpening>;
  openRecent(windowId: number, recentId: string): Promise<WorkspaceOpening>;
  forgetRecent(recentId: string): Promise<void>;
  answerTrust(
    windowId: number,
    openingId: string,
    choice: 'use' | 'set-aside' | 'cancel',
  ): Promise<WorkspaceOpening>;
  close(windowId: number): Promise<void>;
  /** Removes the folder's history, and knows the one that begins anew. */
  forgetHistory(windowId: number): Promise<void>;
}

export interface AgentServices {
  list(): Promise<AgentDescription[]>;
  detect(): Promise<DetectedAgents>;
  /** `key` undefined keeps the saved one; an empty key removes it. */
  saveProvider(provider: Provider, key: string | undefined): Promise<void>;
  saveExternal(agent: ExternalAgent): Promise<void>;
  remove(id: string): Promise<void>;
  models(provider: ProviderDraft, key: string | undefined): Promise<ModelList>;
  test(provider: Provider, key: string | undefined): Promise<ProviderTest>;
}

/** A provider whose model is still to be chosen. */
export type ProviderDraft = Omit<Provider, 'model'> & { readonly model?: string | undefined };

export interface Services {
  readonly app: AppServices;
  readonly folders: FolderServices;
  readonly agents: AgentServices;
}
