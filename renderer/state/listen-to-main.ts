/** Hands each event of the main process to the store it belongs to. */

import type { SessionEvent } from '../../shared/transcript.ts';
import { onEvent } from '../api/client.ts';
import { announce } from './announcer.ts';
import { useApp } from './app-store.ts';
import { useDraft } from './draft-store.ts';
import { useHistory } from './history-store.ts';
import { useSession } from './session-store.ts';
import { useWindow } from './window-store.ts';

/** Returns the function that ends it. */
export function listenToMain(): () => void {
  const forgetDrafts = useSession.subscribe(({ workspace }, before) => {
    if (workspace?.workspaceId === before.workspace?.workspaceId) return;
    useDraft.getState().openFolder(workspace?.path ?? null);
    useWindow.getState().reset();
  });
  const unsubscribe = onEvent((event) => {
    switch (event.type) {
      case 'app-state-changed':
        return useApp.getState().take(event.state);
      case 'workspace-opened':
        return void useApp.getState().takeOpening(event.opening);
      case 'workspace-failed':
        return useApp.getState().fail(event.error.message);
      case 'menu':
        return followMenu(event.command);
      case 'session':
        if (event.workspaceId === useSession.getState().workspace?.workspaceId) receive(event.event);
    }
  });
  void useApp.getState().load();
  return () => {
    forgetDrafts();
    unsubscribe();
  };
}

function followMenu(command: 'open-folder' | 'settings' | 'rewind' | 'toggle-history'): void {
  const { historyOpen, setHistoryOpen, openRewind, openSettings } = useWindow.getState();
  switch (command) {
    case 'open-folder':
      void useApp.getState().openDialog();
      break;
    case 'settings':
      openSettings('general');
      break;
    case 'rewind':
      if (useSession.getState().workspace !== null) openRewind({ kind: 'rewind', turn: null });
      break;
    case 'toggle-history':
      setHistoryOpen(!historyOpen);
      break;
  }
}

function receive(event: SessionEvent): void {
  useSession.getState().receive(event);
  if (event.type === 'history-changed') refreshHistorySoon();
  if (event.type === 'chat-moved') void moveChat(event.draft);
  if (event.type === 'approval-requested') announce(`The agent asks: ${event.request.title}`);
  if (event.type === 'turn-started') announce('The agent works.');
  if (event.type === 'turn-ended')
    announce(event.outcome === 'done' ? 'The turn is done.' : `The turn ${event.outcome}.`);
}

/** A command that changes a thousand files must not ask for the history a thousand times. */
const HISTORY_INTERVAL_MS = 120;
/** A long history takes its time; asked for as often as a short one it would leave none for anything else. */
const INTERVAL_TO_TIME_TAKEN = 4;
let historyIntervalMs = HISTORY_INTERVAL_MS;
let historyTimer: number | null = null;

function refreshHistorySoon(): void {
  if (historyTimer !== null) return;
  historyTimer = window.setTimeout(() => void refreshHistory(), historyIntervalMs);
}

async function refreshHistory(): Promise<void> {
  const begunMs = performance.now();
  historyTimer = null;
  if (useSession.getState().workspace !== null) await useHistory.getState().refresh();
  const takenMs = performance.now() - begunMs;
  historyIntervalMs = Math.max(HISTORY_INTERVAL_MS, INTERVAL_TO_TIME_TAKEN * takenMs);
}

async function moveChat(draft: string | null): Promise<void> {
  await useSession.getState().reload();
  void useHistory.getState().refresh();
  if (draft === null) return;
  const newest = useSession.getState().view?.messages.findLast(({ item }) => item.type === 'rewind')?.item;
  useDraft
    .getState()
    .offerPrompt({ text: draft, turn: newest?.type === 'rewind' ? newest.report.turn : null });
}
