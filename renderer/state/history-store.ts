/** The entries of the open folder's history, newest first, loaded a page at a time. */

import { create } from 'zustand';
import type { EntrySummary } from '../../shared/history.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { call, messageOf } from '../api/client.ts';
import { currentWorkspaceId } from './session-store.ts';

const PAGE = 50;
/** What one call gives at most; older entries than that are loaded again when the person scrolls to them. */
const MAX_REFRESH = 500;

interface HistoryState {
  readonly entries: readonly EntrySummary[];
  readonly loaded: boolean;
  readonly hasOlder: boolean;
  readonly error: string | null;
  clear(): void;
  refresh(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Loads pages until the entry is there; null when the folder has no such entry. */
  find(turn: number): Promise<EntrySummary | null>;
}

let loadingOlder: Promise<void> | null = null;

export const useHistory = create<HistoryState>((set, get) => ({
  entries: [],
  loaded: false,
  hasOlder: false,
  error: null,

  clear: () => set({ entries: [], loaded: false, hasOlder: false, error: null }),

  async refresh() {
    const limit = Math.min(MAX_REFRESH, Math.max(PAGE, get().entries.length + 1));
    const workspaceId = currentWorkspaceId();
    try {
      const entries = await call('history:list', { workspaceId, limit });
      if (currentWorkspaceId() !== workspaceId) return;
      set({ entries, loaded: true, hasOlder: entries.length === limit, error: null });
    } catch (error) {
      set({ error: messageOf(error), loaded: true });
    }
  },

  loadOlder() {
    loadingOlder ??= loadPage().finally(() => {
      loadingOlder = null;
    });
    return loadingOlder;
  },

  async find(turn) {
    for (;;) {
      const found = get().entries.find((entry) => entry.turn === turn);
      if (found !== undefined) return found;
      const oldest = get().entries.at(-1);
      if (!get().hasOlder || oldest === undefined || oldest.turn < turn || get().error !== null) return null;
      await get().loadOlder();
    }
  },
}));

async function loadPage(): Promise<void> {
  const { entries, hasOlder } = useHistory.getState();
  const before = entries.at(-1)?.turn;
  if (!hasOlder || before === undefined) return;
  try {
    const older = await call('history:list', { workspaceId: currentWorkspaceId(), before, limit: PAGE });
    const current = useHistory.getState().entries;
    useHistory.setState({
      entries: [...current, ...older.filter(({ turn }) => !current.some((entry) => entry.turn === turn))],
      hasOlder: older.length === PAGE,
      error: null,
    });
  } catch (error) {
    useHistory.setState({ error: messageOf(error) });
  }
}

export function newestKeptTurn(entries: readonly EntrySummary[]): TurnNumber | null {
  return entries.find(({ kind, status }) => kind === 'agent' && status === 'kept')?.turn ?? null;
}
