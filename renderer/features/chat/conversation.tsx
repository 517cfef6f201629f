/** The conversation: draws its newest part, follows what arrives, and loads more when the person scrolls up. */

import { ArrowDown } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../../../shared/transcript.ts';
import { useSession } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { EmptyConversation } from './empty-conversation.tsx';
import { MessageRow } from './message-row.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import './conversation.css';

/** How many messages are drawn at first and with each step up: more than any window shows. */
const STEP = 120;
const NO_MESSAGES: readonly ChatMessage[] = [];

export function Conversation() {
  const messages = useSession(({ view }) => view?.messages ?? NO_MESSAGES);
  const loaded = useSession(({ view }) => view !== null);
  const [shown, setShown] = useState(STEP);
  const { scroller, content, atBottom, jumpToLatest } = useStickToBottom(messages.length > 0);
  const hidden = Math.max(0, messages.length - shown);
  const showMore = useCallback(() => setShown((count) => count + STEP), []);
  useKeptPosition(scroller, shown);

  return (
    <div className="conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div role="log" aria-label="Conversation" className="conversation-scroll" ref={scroller} tabIndex={0}>
        <div className="conversation-content" ref={content}>
          {loaded && messages.length === 0 && <EmptyConversation />}
          {hidden > 0 && <Earlier onReached={showMore} hidden={hidden} />}
          {hidden === 0 && <OtherBranches />}
          <Messages messages={messages} hidden={hidden} />
          <Approvals />
          <Working />
        </div>
      </div>
      {!atBottom && (
        <Button
          size="small"
          className="conversation-jump"
          icon={<ArrowDown aria-hidden />}
          onClick={jumpToLatest}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}

/** Apart, so that scrolling and new approvals don't go through the list. */
const Messages = memo(function Messages(props: {
  readonly messages: readonly ChatMessage[];
  readonly hidden: number;
}) {
  return props.messages
    .slice(props.hidden)
    .map((message) => <MessageRow key={message.id} message={message} />);
});

function Approvals() {
  const approvals = useSession(({ view }) => view?.approvals);
  return approvals?.map((request) => <ApprovalCard key={request.approvalId} request={request} />);
}

function Working() {
  const working = useSession(
    ({ view }) => view !== null && view.running !== null && view.approvals.length === 0,
  );
  if (!working) return null;
  return (
    <p className="working">
      <span className="working-dot" aria-hidden />
      Working…
    </p>
  );
}

function Earlier({ onReached, hidden }: { readonly onReached: () => void; readonly hidden: number }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onReached(),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [onReached]);
  return (
    <div className="conversation-earlier" ref={element}>
      <Button look="quiet" size="small" onClick={onReached}>
        {hidden.toLocaleString()} earlier
      </Button>
    </div>
  );
}

function OtherBranches() {
  const exist = useSession(({ view }) => view?.hasOtherBranches === true);
  const setBranchesOpen = useWindow((open) => open.setBranchesOpen);
  if (!exist) return null;
  return (
    <div className="conversation-earlier">
      <Button look="quiet" size="small" onClick={() => setBranchesOpen(true)}>
        Conversations from before a rewind
      </Button>
    </div>
  );
}

/** When messages are added above, what the person reads stays where it is. */
function useKeptPosition(scroller: React.RefObject<HTMLDivElement | null>, shown: number): void {
  const fromBottom = useRef(0);
  const before = useRef(shown);
  const element = scroller.current;
  if (element !== null && before.current !== shown)
    fromBottom.current = element.scrollHeight - element.scrollTop;
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box !== null && before.current !== shown) box.scrollTop = box.scrollHeight - fromBottom.current;
    before.current = shown;
  }, [scroller, shown]);
}
