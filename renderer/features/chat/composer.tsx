/** Where the message is written: sends it, runs slash commands, and never loses what was typed. */

import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useDraft } from '../../state/draft-store.ts';
import { useRunning, useSession } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { AgentSelect } from '../agents/agent-select.tsx';
import { GuaranteeBadge } from '../agents/guarantee-badge.tsx';
import { ModeMenu } from '../agents/mode-menu.tsx';
import { ComposerNotes } from './composer-notes.tsx';
import { optionId, SlashMenu } from './slash-menu.tsx';
import { UsageMeter } from './usage-meter.tsx';
import { useSlashMenu } from './use-slash-menu.ts';
import { useSubmit } from './use-submit.ts';
import './composer.css';

/** Two presses of Esc within this time open the rewind dialog. */
const DOUBLE_PRESS_MS = 800;

export function Composer() {
  const text = useDraft((draft) => draft.text);
  const setText = useDraft((draft) => draft.setText);
  const openRewind = useWindow((open) => open.openRewind);
  const running = useRunning();
  const ready = useSession(({ view }) => view !== null && !view.readOnly);
  const { note, setNote, sending, submit, stop } = useSubmit();
  const field = useRef<HTMLTextAreaElement>(null);
  const escapedAt = useRef(Number.NEGATIVE_INFINITY);
  const menu = useSlashMenu(text, {
    complete: (option) => setText(option.argument === '' ? option.name : `${option.name} `),
    run: (option) => void submit(option.name),
  });
  useAutoGrow(field, text);
  useSendHeld(submit);
  useEffect(() => {
    // A question of the agent that already waits keeps the focus.
    if (document.activeElement === document.body) field.current?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter and Esc belong to the input method while it composes a character.
    if (event.nativeEvent.isComposing) return;
    if (menu.handleKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (!event.repeat) void submit(text);
    }
    if (event.key === 'Escape' && !event.repeat) {
      setNote(null);
      if (text !== '') return;
      const twice = event.timeStamp - escapedAt.current < DOUBLE_PRESS_MS;
      escapedAt.current = twice ? Number.NEGATIVE_INFINITY : event.timeStamp;
      if (!twice) return;
      // Otherwise the same press would close the dialog that it opens.
      event.preventDefault();
      openRewind({ kind: 'rewind', turn: null });
    }
  };

  const activeOption = menu.open ? menu.options[menu.active] : undefined;
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(text);
      }}
    >
      <ComposerNotes note={note} onDismiss={() => setNote(null)} />
      <div className="composer-box">
        {menu.open && (
          <SlashMenu
            options={menu.options}
            active={menu.active}
            onHover={menu.setActive}
            onChoose={(option) => void submit(option.name)}
          />
        )}
        <textarea
          ref={field}
          data-composer
          aria-label="Message"
          className="composer-text"
          placeholder="Ask for something, or type / for commands"
          rows={1}
          value={text}
          readOnly={sending}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          aria-autocomplete="list"
          aria-controls={menu.open ? 'commands' : undefined}
          aria-activedescendant={activeOption === undefined ? undefined : optionId(activeOption)}
        />
        <div className="composer-bar">
          <AgentSelect />
          <ModeMenu />
          <UsageMeter />
          <span className="composer-space" />
          {running !== null ? (
            <Button
              size="small"
              icon={<Square className="stop-icon" aria-hidden />}
              onClick={() => void stop()}
            >
              Stop
            </Button>
          ) : (
            <Button
              type="submit"
              look="primary"
              size="small"
              icon={<ArrowUp aria-hidden />}
              disabled={text.trim() === '' || sending || !ready}
            >
              Send
            </Button>
          )}
        </div>
      </div>
      <div className="composer-foot">
        <GuaranteeBadge />
        <span className="composer-keys">
          <kbd>Esc</kbd> <kbd>Esc</kbd> rewinds
        </span>
      </div>
    </form>
  );
}

function useAutoGrow(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}

/** A message that waited for the choice of an agent goes out once the choice is made. */
function useSendHeld(submit: (text: string) => Promise<void>): void {
  const held = useDraft((draft) => draft.held);
  const send = useRef(submit);
  send.current = submit;
  useEffect(() => {
    if (held !== 'due') return;
    const { text, setHeld } = useDraft.getState();
    setHeld(null);
    void send.current(text);
  }, [held]);
}
