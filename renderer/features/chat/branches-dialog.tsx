/** Conversations that a rewind left behind: readable, never lost. */

import { ChevronLeft, MessagesSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ChatMessage } from '../../../shared/transcript.ts';
import { call, messageOf } from '../../api/client.ts';
import { plural } from '../../lib/text.ts';
import { exactTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MessageRow } from './message-row.tsx';
import './branches-dialog.css';

export function BranchesDialog() {
  const setBranchesOpen = useWindow((open) => open.setBranchesOpen);
  const [heads, setHeads] = useState<readonly ChatMessage[] | null>(null);
  const [branch, setBranch] = useState<readonly ChatMessage[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const now = useNow();

  useEffect(() => {
    call('session:branches', { workspaceId: currentWorkspaceId() })
      .then(setHeads)
      .catch((reason: unknown) => setError(messageOf(reason)));
  }, []);

  const open = async (head: ChatMessage) => {
    try {
      setBranch(await call('session:branch', { workspaceId: currentWorkspaceId(), head: head.id }));
    } catch (reason) {
      setError(messageOf(reason));
    }
  };

  return (
    <Dialog title="Earlier conversations" className="branches" onClose={() => setBranchesOpen(false)}>
      {error !== null && <Callout level="error">{error}</Callout>}
      {branch === null && heads?.length === 0 && (
        <EmptyState icon={<MessagesSquare aria-hidden />} title="No earlier conversation">
          When a rewind takes the chat back, what was said after that point stays readable here.
        </EmptyState>
      )}
      {branch === null && (
        <ul className="branch-list">
          {heads?.map((head) => (
            <li key={head.id}>
              <button type="button" className="branch" onClick={() => void open(head)}>
                <span className="truncate">{wordsOf(head)}</span>
                <time className="faint" title={exactTime(head.atMs)}>
                  {relativeTime(head.atMs, now)}
                </time>
              </button>
            </li>
          ))}
        </ul>
      )}
      {branch !== null && (
        <div className="branch-messages">
          <div>
            <Button
              look="quiet"
              size="small"
              icon={<ChevronLeft aria-hidden />}
              onClick={() => setBranch(null)}
            >
              All earlier conversations
            </Button>
          </div>
          {branch.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function wordsOf({ item, turn }: ChatMessage): string {
  const until = turn === null ? 'Ended' : `Up to turn ${turn}`;
  if (item.type === 'user' || item.type === 'assistant') return `${until}: ${item.text}`;
  return item.type === 'turn-end' ? `${until}, ${plural(item.files.length, 'file')} changed` : until;
}
