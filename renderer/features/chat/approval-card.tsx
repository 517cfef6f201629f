/** Asks before a write or a command, with exactly what it would do. */

import { ShieldQuestion } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ApprovalChoice, ApprovalRequest } from '../../../shared/transcript.ts';
import { messageOf } from '../../api/client.ts';
import { focusComposer } from '../../lib/focus-composer.ts';
import { useSession } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { UnifiedDiff } from '../diff/diff-view.tsx';
import './messages.css';
import './approval-card.css';

export function ApprovalCard({ request }: { readonly request: ApprovalRequest }) {
  const card = useRef<HTMLDivElement>(null);
  const answer = useSession((session) => session.answer);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isLimit = request.tool === 'continue';

  useEffect(() => {
    // The card takes the focus, not a button: an Enter that was meant for something else must allow nothing. And who is
    // in the middle of writing keeps the focus.
    const focused = document.activeElement;
    const writing = focused instanceof HTMLTextAreaElement && focused.value !== '';
    if (!writing && document.querySelector('dialog[open]') === null) card.current?.focus();
  }, []);

  const choose = async (choice: ApprovalChoice) => {
    setBusy(true);
    setError(null);
    try {
      await answer(request.approvalId, choice);
      focusComposer();
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't take the focus
    <div ref={card} role="group" aria-label={`Approval: ${request.title}`} className="approval" tabIndex={-1}>
      <p className="approval-title">
        <ShieldQuestion aria-hidden />
        <span>{questionOf(request)}</span>
      </p>
      {request.command === undefined ? (
        <p className="approval-what mono">{request.title}</p>
      ) : (
        <pre className="approval-command">{request.command}</pre>
      )}
      {request.diff !== undefined && (
        <div className="approval-diff">
          <UnifiedDiff unified={request.diff} />
        </div>
      )}
      {error !== null && <Callout level="error">{error}</Callout>}
      <div className="approval-actions">
        <Button look="primary" disabled={busy} onClick={() => void choose('allow-once')}>
          {isLimit ? 'Go on' : 'Allow once'}
        </Button>
        {!isLimit && (
          <Button disabled={busy} onClick={() => void choose('allow-for-chat')}>
            Allow for this chat
          </Button>
        )}
        <Button look="danger" disabled={busy} onClick={() => void choose('deny')}>
          {isLimit ? 'Stop here' : 'Deny'}
        </Button>
      </div>
    </div>
  );
}

function questionOf({ tool, command, diff, path }: ApprovalRequest): string {
  if (tool === 'continue') return 'Go on?';
  if (command !== undefined) return 'Run this command?';
  // A step of an external agent may be neither, e.g. its start or a search in the web.
  return tool === 'external' && diff === undefined && path === undefined
    ? 'Allow this step?'
    : 'Allow this change?';
}
