/** What a window needs to draw the app around an open folder: recent folders, agents, settings. */

import type { WorkspaceId } from './ids.ts';
import type { Provider, Settings } from './settings.ts';

export interface RecentFolder {
  readonly recentId: string;
  readonly name: string;
  readonly path: string;
  readonly openedAtMs: number;
  readonly exists: boolean;
}

export interface WorkspaceInfo {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  /** Shown only; no channel takes it back. */
  readonly path: string;
}

export type WorkspaceOpening =
  | { readonly kind: 'opened'; readonly workspace: WorkspaceInfo }
  | { readonly kind: 'cancelled' }
  /** The folder brings a history that this installation has not made or opened before. */
  | {
      readonly kind: 'ask-trust';
      readonly openingId: string;
      readonly path: string;
      readonly turns: number | null;
    };

export interface AgentDescription {
  readonly id: string;
  readonly name: string;
  readonly kind: 'practice' | 'model' | 'acp';
  readonly guarantee: 'every-write' | 'opaque';
  /** E.g. the model's name, or "key missing". */
  readonly detail: string;
  readonly usable: boolean;
  /** Model agents: as saved, never with the key. */
  readonly provider?: Provider & { readonly hasKey: boolean };
}

export interface DetectedAgents {
  readonly localServers: readonly {
    readonly name: string;
    readonly kind: 'ollama' | 'openai-compatible';
    readonly baseUrl: string;
    readonly models: readonly string[];
  }[];
  readonly installedAgents: readonly { readonly name: string; readonly command: readonly string[] }[];
  /** Names of environment variables that hold a key; never their values. */
  readonly keyVariables: readonly {
    readonly name: string;
    readonly kind: 'anthropic' | 'openai' | 'google' | 'openai-compatible';
  }[];
}

export interface ModelList {
  readonly models: readonly { readonly id: string; readonly contextWindow: number | null }[];
}

export interface ProviderTest {
  readonly ok: boolean;
  /** One sentence: what answered, or what to do. */
  readonly message: string;
}

export interface AppState {
  readonly version: string;
  readonly platform: string;
  readonly settings: Settings;
  readonly recentFolders: readonly RecentFolder[];
  readonly workspace: WorkspaceInfo | null;
  readonly agents: readonly AgentDescription[];
  /** False: keys are kept for this run only, and the window says so. */
  readonly keysArePersistent: boolean;
  /** True until a first choice of agent was made or dismissed. */
  readonly firstRun: boolean;
}
