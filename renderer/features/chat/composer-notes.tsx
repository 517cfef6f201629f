/** Messages right above the composer: what went wrong, the help, a prompt that a rewind gave back, a held message. */

import { X } from 'lucide-react';
import { SLASH_COMMANDS } from '../../../shared/slash-commands.ts';
import { useDraft } from '../../state/draft-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import type { ComposerNote } from './use-submit.ts';

interface ComposerNotesProps {
  readonly note: ComposerNote | null;
  readonly onDismiss: () => void;
}

export function ComposerNotes({ note, onDismiss }: ComposerNotesProps) {
  const dismiss = (
    <IconButton label="Dismiss" onClick={onDismiss}>
      <X />
    </IconButton>
  );
  return (
    <div className="composer-notes">
      <HeldMessage />
      <OfferedPrompt />
      {note?.kind === 'help' && <Help dismiss={dismiss} />}
      {note !== null && note.kind !== 'help' && (
        <Callout level={note.kind} actions={dismiss}>
          {note.text}
        </Callout>
      )}
    </div>
  );
}

function HeldMessage() {
  const held = useDraft((draft) => draft.held);
  const setHeld = useDraft((draft) => draft.setHeld);
  const openSettings = useWindow((open) => open.openSettings);
  if (held === null) return null;
  return (
    <Callout
      actions={
        <>
          <Button size="small" onClick={() => openSettings('agents')}>
            Choose an agent…
          </Button>
          <Button look="quiet" size="small" onClick={() => setHeld(null)}>
            Don’t send
          </Button>
        </>
      }
    >
      Your message waits. It is sent as soon as you have chosen who answers.
    </Callout>
  );
}

function OfferedPrompt() {
  const offer = useDraft((draft) => draft.offer);
  const useOffer = useDraft((draft) => draft.useOffer);
  const dismissOffer = useDraft((draft) => draft.dismissOffer);
  if (offer === null) return null;
  return (
    <div className="offer">
      <button type="button" className="offer-use" title={offer.text} onClick={useOffer}>
        {offer.turn === null ? 'Use the earlier prompt' : `Use the prompt of turn ${offer.turn}`}
      </button>
      <span className="truncate faint">{offer.text}</span>
      <IconButton label="Dismiss the offered prompt" onClick={dismissOffer}>
        <X />
      </IconButton>
    </div>
  );
}

function Help({ dismiss }: { readonly dismiss: React.ReactNode }) {
  return (
    <section className="help" aria-label="Help">
      <div className="help-head">
        <strong>Commands</strong>
        {dismiss}
      </div>
      <dl className="help-list">
        {SLASH_COMMANDS.map(({ name, argument, summary }) => (
          <div key={name}>
            <dt>
              <span className="slash-name">{name}</span> <span className="slash-argument">{argument}</span>
            </dt>
            <dd>{summary}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd> <kbd>Esc</kbd>
          </dt>
          <dd>In an empty message: choose where to go back to</dd>
        </div>
        <div>
          <dt>
            <kbd>Shift</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>New line in the message</dd>
        </div>
      </dl>
    </section>
  );
}
