/** What happens with a line the person hands in: a message goes to the agent, a command stays here. */

import { useState } from 'react';
import type { TurnNumber } from '../../../shared/ids.ts';
import { parseLine, type SlashCommand } from '../../../shared/slash-commands.ts';
import { messageOf } from '../../api/client.ts';
import { useApp } from '../../state/app-store.ts';
import { useDraft } from '../../state/draft-store.ts';
import { newestKeptTurn, useHistory } from '../../state/history-store.ts';
import { useSession } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { isForPractice } from '../agents/practice-words.ts';
import { undoRewind } from '../rewind/undo-rewind.ts';

export type ComposerNote =
  | { readonly kind: 'help' }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'info'; readonly text: string };

interface Submit {
  readonly note: ComposerNote | null;
  setNote(note: ComposerNote | null): void;
  readonly sending: boolean;
  submit(text: string): Promise<void>;
  stop(): Promise<void>;
}

export function useSubmit(): Submit {
  const [note, setNote] = useState<ComposerNote | null>(null);
  const [sending, setSending] = useState(false);

  const guarded = async (work: () => Promise<void>) => {
    setNote(null);
    try {
      await work();
    } catch (error) {
      setNote({ kind: 'error', text: messageOf(error) });
    }
  };

  const submit = async (text: string) => {
    if (text.trim() === '' || sending) return;
    const line = parseLine(text);
    switch (line.kind) {
      case 'invalid':
        return setNote({ kind: 'error', text: line.reason });
      case 'command':
        return guarded(async () => {
          const answer = await runCommand(line.command);
          useDraft.getState().setText('');
          setNote(answer);
        });
      case 'message':
        return guarded(async () => {
          setSending(true);
          try {
            setNote(await sendMessage(line.text));
          } finally {
            setSending(false);
          }
        });
    }
  };

  return {
    note,
    setNote,
    sending,
    submit,
    stop: () => guarded(() => useSession.getState().stop()),
  };
}

/** The text leaves the composer only once the turn is recorded. */
async function sendMessage(text: string): Promise<ComposerNote | null> {
  const { view, send } = useSession.getState();
  const app = useApp.getState().state;
  if (view === null || app === null) return null;
  if (view.running !== null) {
    return {
      kind: 'info',
      text: 'A turn is running. Your message stays here until it has ended, or you stop it.',
    };
  }
  const draft = useDraft.getState();
  let { agentId } = app.settings;
  if (app.firstRun) {
    if (!isForPractice(text)) {
      draft.setHeld('waiting');
      return null;
    }
    agentId = 'practice';
  }
  await send(text, agentId);
  // The answer comes in the conversation.
  useWindow.getState().showChanges(null);
  if (useDraft.getState().text === text) draft.setText('');
  return null;
}

/** Returns what to tell; throws where the command could not be done. */
async function runCommand({ name, turn }: SlashCommand): Promise<ComposerNote | null> {
  const { openRewind, setHistoryOpen, showChanges } = useWindow.getState();
  switch (name) {
    case '/help':
      return { kind: 'help' };
    case '/redo':
      await undoRewind();
      return null;
    case '/rewind': {
      if (turn === null) {
        openRewind({ kind: 'rewind', turn: null });
        return null;
      }
      const entry = await useHistory.getState().find(turnOf(turn));
      if (entry === null) throw new Error(`There is no turn ${turn} in this folder's history.`);
      if (entry.kind === 'rewind')
        throw new Error(`Number ${turn} is a rewind, not a turn. To undo the newest rewind, use /redo.`);
      openRewind(
        entry.status === 'kept'
          ? { kind: 'rewind', turn: entry.turn }
          : {
              kind: 'rewind',
              turn: null,
              message: `Turn ${turn} is already rewound. Undo the rewind to bring it back.`,
            },
      );
      return null;
    }
    case '/diff': {
      const entry = await useHistory.getState().find(turnOf(turn ?? 'last'));
      if (entry === null) throw new Error(`There is no turn ${turn} in this folder's history.`);
      setHistoryOpen(true);
      showChanges({ turn: entry.turn, path: null });
      return null;
    }
  }
}

function turnOf(turn: number | 'last'): TurnNumber | number {
  if (turn !== 'last') return turn;
  const newest = newestKeptTurn(useHistory.getState().entries);
  if (newest === null) throw new Error('There is no turn yet that could be shown or taken back.');
  return newest;
}
