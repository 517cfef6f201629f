/** What the person wrote, with the turn it began. */

import { memo, useState } from 'react';
import type { TurnNumber } from '../../../shared/ids.ts';
import { exactTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import './messages.css';

interface UserMessageProps {
  readonly text: string;
  readonly turn: TurnNumber | null;
  readonly atMs: number;
}

/** A pasted log would push everything else out of sight. */
const CLIPPED_FROM = 1500;

export const UserMessage = memo(function UserMessage({ text, turn, atMs }: UserMessageProps) {
  const now = useNow();
  const [whole, setWhole] = useState(text.length <= CLIPPED_FROM);
  return (
    <article className="user-message" aria-label={turn === null ? 'You' : `You, turn ${turn}`}>
      <p className="user-text">{whole ? text : `${text.slice(0, CLIPPED_FROM)}…`}</p>
      {!whole && (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          Show the whole message
        </button>
      )}
      <footer className="user-meta">
        {turn !== null && <span>Turn {turn}</span>}
        <time dateTime={new Date(atMs).toISOString()} title={exactTime(atMs)}>
          {relativeTime(atMs, now)}
        </time>
      </footer>
    </article>
  );
});
