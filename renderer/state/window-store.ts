/** What is open in the window: the history panel, the view of changes, dialogs. */

import { create } from 'zustand';
import type { TurnNumber } from '../../shared/ids.ts';
import type { Provider } from '../../shared/settings.ts';
import { readStored, writeStored } from '../lib/stored.ts';

/** Below this width the history panel lies over the conversation. */
export const NARROW_WIDTH = 900;

type SettingsSection = 'general' | 'agents' | 'coverage' | 'history';

/** Which form of the agents' section is open at the start. */
export type AgentForm =
  | {
      readonly what: 'provider';
      readonly kind: Provider['kind'];
      /** An environment variable that holds the key already. */
      readonly keyVariable?: string;
    }
  | { readonly what: 'external' };

export interface OpenSettings {
  readonly section: SettingsSection;
  readonly form: AgentForm | null;
}

export interface RewindRequest {
  readonly kind: 'rewind' | 'redo';
  /** The turn that is selected at the start; null is "Now". */
  readonly turn: TurnNumber | null;
  /** Only these paths go back. */
  readonly paths?: readonly string[];
  /** Why the dialog opens differently than it was asked. */
  readonly message?: string;
}

export interface ShownChanges {
  readonly turn: TurnNumber;
  /** Scrolled to; null shows from the top. */
  readonly path: string | null;
}

interface WindowState {
  readonly historyOpen: boolean;
  readonly historyWidth: number;
  readonly changes: ShownChanges | null;
  readonly rewind: RewindRequest | null;
  readonly settings: OpenSettings | null;
  readonly branchesOpen: boolean;
  setHistoryOpen(open: boolean): void;
  setHistoryWidth(width: number): void;
  showChanges(changes: ShownChanges | null): void;
  openRewind(request: RewindRequest): void;
  closeRewind(): void;
  openSettings(section: SettingsSection, form?: AgentForm): void;
  closeSettings(): void;
  setBranchesOpen(open: boolean): void;
  reset(): void;
}

const HISTORY_MIN = 260;
const HISTORY_MAX = 560;

export const useWindow = create<WindowState>((set) => ({
  historyOpen: readStored('history-open') !== 'no' && window.innerWidth >= NARROW_WIDTH,
  historyWidth: clampWidth(Number(readStored('history-width') ?? 340)),
  changes: null,
  rewind: null,
  settings: null,
  branchesOpen: false,

  setHistoryOpen(historyOpen) {
    // An overlay that was closed to see the conversation says nothing about the wide window.
    if (window.innerWidth >= NARROW_WIDTH) writeStored('history-open', historyOpen ? 'yes' : 'no');
    set({ historyOpen });
  },
  setHistoryWidth(width) {
    const historyWidth = clampWidth(width);
    writeStored('history-width', String(historyWidth));
    set({ historyWidth });
  },
  showChanges: (changes) => set({ changes }),
  openRewind: (rewind) => set({ rewind }),
  closeRewind: () => set({ rewind: null }),
  openSettings: (section, form) => set({ settings: { section, form: form ?? null } }),
  closeSettings: () => set({ settings: null }),
  setBranchesOpen: (branchesOpen) => set({ branchesOpen }),
  reset: () => set({ changes: null, rewind: null, branchesOpen: false }),
}));

function clampWidth(width: number): number {
  return Math.round(Math.min(HISTORY_MAX, Math.max(HISTORY_MIN, Number.isFinite(width) ? width : 340)));
}
