/** The unsent message of each folder: kept across restarts, and never overwritten by anything but the person. */

import { create } from 'zustand';
import type { TurnNumber } from '../../shared/ids.ts';
import { readStored, writeStored } from '../lib/stored.ts';

/** The prompt that a rewind gave back while something else stood in the composer. */
interface OfferedPrompt {
  readonly text: string;
  readonly turn: TurnNumber | null;
}

interface DraftState {
  readonly folder: string | null;
  readonly text: string;
  readonly offer: OfferedPrompt | null;
  /** `waiting` for the choice of an agent, `due` once it is made; the text stays in the composer meanwhile. */
  readonly held: 'waiting' | 'due' | null;
  openFolder(folder: string | null): void;
  setText(text: string): void;
  setHeld(held: 'waiting' | null): void;
  /** An agent was chosen: what waited for it goes out. */
  release(): void;
  /** A rewind returned the prompt of its turn. */
  offerPrompt(offered: OfferedPrompt): void;
  useOffer(): void;
  dismissOffer(): void;
}

const keyOf = (folder: string) => `draft:${folder}`;

export const useDraft = create<DraftState>((set, get) => ({
  folder: null,
  text: '',
  offer: null,
  held: null,

  openFolder(folder) {
    if (folder === get().folder) return;
    const text = folder === null ? '' : (readStored(keyOf(folder)) ?? '');
    set({ folder, text, offer: null, held: null });
  },

  setText(text) {
    const { folder } = get();
    if (folder !== null) writeStored(keyOf(folder), text);
    set({ text });
  },

  setHeld: (held) => set({ held }),
  release: () => set(({ held }) => ({ held: held === 'waiting' ? 'due' : held })),

  offerPrompt(offered) {
    const { text, setText } = get();
    if (text.trim() === '') setText(offered.text);
    else if (text.trim() !== offered.text.trim()) set({ offer: offered });
  },

  useOffer() {
    const { offer, setText } = get();
    if (offer === null) return;
    setText(offer.text);
    set({ offer: null });
  },

  dismissOffer: () => set({ offer: null }),
}));
