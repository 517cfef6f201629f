/** Asks about a folder whose history this installation has not made: using it means believing what it says. */

import { plural } from '../../lib/text.ts';
import type { TrustQuestion } from '../../state/app-store.ts';
import { useApp } from '../../state/app-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export function TrustDialog({ question }: { readonly question: TrustQuestion }) {
  const answerTrust = useApp((app) => app.answerTrust);
  const answer = (choice: 'use' | 'set-aside' | 'cancel') => () => void answerTrust(choice);
  return (
    <Dialog
      title="This folder brings a history"
      onClose={answer('cancel')}
      footer={
        <>
          <Button look="quiet" onClick={answer('cancel')}>
            Cancel
          </Button>
          <Button onClick={answer('use')}>Use this history</Button>
          <Button look="primary" onClick={answer('set-aside')} data-autofocus>
            Set it aside
          </Button>
        </>
      }
    >
      <div className="prose">
        <p>
          <strong className="mono">{question.path}</strong> holds a Rewind history
          {question.turns !== null && ` of ${plural(question.turns, 'turn')}`} that was not made or opened
          here before, for example because the folder was cloned or copied from another computer.
        </p>
        <p>
          Whoever made it decides what a rewind would write into this folder. If you don’t know where it comes
          from, set it aside: it is kept next to the new one, unused, and nothing in the folder changes.
        </p>
      </div>
    </Dialog>
  );
}
