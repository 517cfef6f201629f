/** The open folder's conversation: loads it, takes its events, and sends what the person decides. */

import { create } from 'zustand';
import type { WorkspaceInfo } from '../../shared/app-state.ts';
import type { WorkspaceId } from '../../shared/ids.ts';
import type { ApprovalChoice, PermissionMode, SessionEvent } from '../../shared/transcript.ts';
import { call, messageOf } from '../api/client.ts';
import { reduceSession, type SessionView, undoableRewind, viewOf } from './session-view.ts';

/** Streamed text is drawn at most this often; a token of its own would cost a rendering. */
const STREAM_INTERVAL_MS = 40;

interface SessionState {
  readonly workspace: WorkspaceInfo | null;
  readonly view: SessionView | null;
  readonly loadError: string | null;
  open(workspace: WorkspaceInfo | null): Promise<void>;
  reload(): Promise<void>;
  receive(event: SessionEvent): void;
  setMode(mode: PermissionMode): void;
  send(text: string, agentId: string): Promise<void>;
  stop(): Promise<void>;
  answer(approvalId: string, choice: ApprovalChoice): Promise<void>;
  stopProgress(progressId: string): Promise<void>;
}

let waiting: SessionEvent[] = [];
let timer: number | null = null;

export const useSession = create<SessionState>((set, get) => ({
  workspace: null,
  view: null,
  loadError: null,

  async open(workspace) {
    dropWaiting();
    set({ workspace, view: null, loadError: null });
    if (workspace !== null) await get().reload();
  },

  async reload() {
    const { workspace } = get();
    if (workspace === null) return;
    try {
      const snapshot = await call('session:snapshot', { workspaceId: workspace.workspaceId });
      if (get().workspace?.workspaceId !== workspace.workspaceId) return;
      // Everything that waits was sent before the snapshot was made, and is in it.
      dropWaiting();
      set({ view: viewOf(snapshot), loadError: null });
    } catch (error) {
      set({ loadError: messageOf(error) });
    }
  },

  receive(event) {
    if (event.type === 'text-delta' || event.type === 'output-delta') {
      waiting.push(event);
      timer ??= window.setTimeout(() => flush([]), STREAM_INTERVAL_MS);
    } else flush([event]);
  },

  setMode(mode) {
    const { view } = get();
    if (view !== null) set({ view: { ...view, mode } });
  },

  async send(text, agentId) {
    const { view } = get();
    if (view === null) return;
    await call('session:send', { workspaceId: currentWorkspaceId(), text, agentId, mode: view.mode });
  },

  async stop() {
    await call('session:stop', { workspaceId: currentWorkspaceId() });
  },

  async answer(approvalId, choice) {
    await call('session:answer-approval', { workspaceId: currentWorkspaceId(), approvalId, choice });
  },

  async stopProgress(progressId) {
    await call('session:stop-progress', { workspaceId: currentWorkspaceId(), progressId });
  },
}));

function flush(next: readonly SessionEvent[]): void {
  const events = [...waiting, ...next];
  dropWaiting();
  const { view } = useSession.getState();
  if (view !== null) useSession.setState({ view: events.reduce(reduceSession, view) });
}

function dropWaiting(): void {
  waiting = [];
  if (timer !== null) window.clearTimeout(timer);
  timer = null;
}

/** The id that calls about the open folder carry. Only asked while one is open. */
export function currentWorkspaceId(): WorkspaceId {
  const { workspace } = useSession.getState();
  if (workspace === null) throw new Error('No folder is open.');
  return workspace.workspaceId;
}

export const useRunning = () => useSession(({ view }) => view?.running ?? null);
export const useUndoableRewind = () =>
  useSession(({ view }) => (view === null ? null : undoableRewind(view)));
