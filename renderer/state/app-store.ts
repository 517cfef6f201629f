/** What surrounds an open folder: settings, recent folders, agents, and the question about an unknown history. */

import { create } from 'zustand';
import type { AgentDescription, AppState, WorkspaceOpening } from '../../shared/app-state.ts';
import type { Settings } from '../../shared/settings.ts';
import { call, messageOf } from '../api/client.ts';
import { useDraft } from './draft-store.ts';
import { useHistory } from './history-store.ts';
import { useSession } from './session-store.ts';

export type TrustQuestion = Extract<WorkspaceOpening, { kind: 'ask-trust' }>;

interface AppStore {
  readonly state: AppState | null;
  readonly question: TrustQuestion | null;
  /** Why the last thing asked around the folder did not work; a full sentence. */
  readonly error: string | null;
  readonly opening: boolean;
  load(): Promise<void>;
  take(state: AppState): void;
  takeAgents(agents: readonly AgentDescription[]): void;
  openDialog(): Promise<void>;
  openRecent(recentId: string): Promise<void>;
  forgetRecent(recentId: string): Promise<void>;
  answerTrust(choice: 'use' | 'set-aside' | 'cancel'): Promise<void>;
  closeFolder(): Promise<void>;
  takeOpening(opening: WorkspaceOpening): Promise<void>;
  fail(message: string | null): void;
  updateSettings(patch: Partial<Settings>): Promise<void>;
  /** Also ends the first run: from now on messages go to this agent. */
  chooseAgent(agentId: string): Promise<void>;
}

export const useApp = create<AppStore>((set, get) => {
  async function opening(ask: () => Promise<WorkspaceOpening>): Promise<void> {
    set({ error: null, opening: true });
    try {
      await get().takeOpening(await ask());
    } catch (error) {
      set({ error: messageOf(error) });
    } finally {
      set({ opening: false });
    }
  }

  return {
    state: null,
    question: null,
    error: null,
    opening: false,

    async load() {
      try {
        const state = await call('app:state', {});
        set({ state });
        await showWorkspace(state.workspace);
      } catch (error) {
        set({ error: messageOf(error) });
      }
    },

    take: (state) => set({ state }),

    takeAgents(agents) {
      const { state } = get();
      if (state !== null) set({ state: { ...state, agents } });
    },

    openDialog: () => opening(() => call('workspace:open-dialog', {})),
    openRecent: (recentId) => opening(() => call('workspace:open-recent', { recentId })),

    async forgetRecent(recentId) {
      try {
        set({ state: await call('workspace:forget-recent', { recentId }) });
      } catch (error) {
        set({ error: messageOf(error) });
      }
    },

    async answerTrust(choice) {
      const { question } = get();
      if (question === null) return;
      set({ question: null });
      await opening(() => call('workspace:answer-trust', { openingId: question.openingId, choice }));
    },

    async closeFolder() {
      const { workspace } = useSession.getState();
      if (workspace === null) return;
      try {
        await call('workspace:close', { workspaceId: workspace.workspaceId });
        await showWorkspace(null);
        set({ state: await call('app:state', {}) });
      } catch (error) {
        set({ error: messageOf(error) });
      }
    },

    async takeOpening(answer) {
      if (answer.kind === 'ask-trust') set({ question: answer });
      if (answer.kind === 'opened') {
        set({ question: null, error: null });
        await showWorkspace(answer.workspace);
      }
    },

    fail: (error) => set({ error }),

    async updateSettings(patch) {
      const settings = await call('app:update-settings', { patch });
      const { state } = get();
      if (state !== null) set({ state: { ...state, settings } });
    },

    async chooseAgent(agentId) {
      await get().updateSettings({ agentId });
      const { state } = get();
      if (state !== null) set({ state: { ...state, firstRun: false } });
      useDraft.getState().release();
    },
  };
});

async function showWorkspace(workspace: AppState['workspace']): Promise<void> {
  if (workspace !== null && workspace.workspaceId === useSession.getState().workspace?.workspaceId) return;
  useHistory.getState().clear();
  await useSession.getState().open(workspace);
  if (workspace !== null) await useHistory.getState().refresh();
}

/** The agent that the next message goes to. */
export function useAgent(): AgentDescription | null {
  return useApp(({ state }) => state?.agents.find(({ id }) => id === state.settings.agentId) ?? null);
}
