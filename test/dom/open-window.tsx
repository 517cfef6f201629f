/** Opens the whole page on a fake main process, with stores as after a start. */

import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach } from 'vitest';
import type { StoreApi } from 'zustand';
import { App } from '../../renderer/app.tsx';
import { useAnnouncement } from '../../renderer/state/announcer.ts';
import { useApp } from '../../renderer/state/app-store.ts';
import { useDraft } from '../../renderer/state/draft-store.ts';
import { useHistory } from '../../renderer/state/history-store.ts';
import { listenToMain } from '../../renderer/state/listen-to-main.ts';
import { useSession } from '../../renderer/state/session-store.ts';
import { useWindow } from '../../renderer/state/window-store.ts';
import type { FakeBridge } from './fake-bridge.ts';

const startOf = <T,>(store: StoreApi<T>) => {
  return () => store.setState(store.getInitialState(), true);
};
const RESETS = [
  startOf(useApp),
  startOf(useDraft),
  startOf(useHistory),
  startOf(useSession),
  startOf(useWindow),
  startOf(useAnnouncement),
];

let stopListening: (() => void) | null = null;

afterEach(() => {
  closeWindow();
  localStorage.clear();
});

/** What a quit leaves: nothing but what the page stored. */
export function closeWindow(): void {
  cleanup();
  stopListening?.();
  stopListening = null;
  for (const reset of RESETS) reset();
}

export async function openWindow(bridge: FakeBridge): Promise<UserEvent> {
  Object.defineProperty(window, 'rewind', { value: bridge, configurable: true });
  await act(async () => {
    render(<App />);
    stopListening = listenToMain();
  });
  return userEvent.setup();
}

/** Lets what was started by an event come to its end. */
export const settle = () => act(async () => {});

export const messageBox = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
