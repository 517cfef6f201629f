/** One message of the conversation. It is drawn again only when it, or the text streaming into it, changes. */

import { memo } from 'react';
import type { ChatMessage } from '../../../shared/transcript.ts';
import { useSession } from '../../state/session-store.ts';
import { Callout } from '../../ui/callout.tsx';
import { Markdown, StreamedMarkdown } from './markdown.tsx';
import { RewindEntry } from './rewind-entry.tsx';
import { ToolRow } from './tool-row.tsx';
import { TurnEnd } from './turn-end.tsx';
import { UserMessage } from './user-message.tsx';

export const MessageRow = memo(function MessageRow({ message }: { readonly message: ChatMessage }) {
  const live = useSession(({ view }) => view?.live[message.id]);
  const { item, turn, atMs } = message;
  switch (item.type) {
    case 'user':
      return <UserMessage text={item.text} turn={turn} atMs={atMs} />;
    case 'assistant':
      return <AssistantMessage text={item.text} live={live} />;
    case 'tool':
      return <ToolRow item={item} live={live} />;
    case 'notice':
      return <Callout level={item.level}>{item.text}</Callout>;
    case 'turn-end':
      return <TurnEnd item={item} turn={turn} />;
    case 'rewind':
      return <RewindEntry report={item.report} />;
  }
});

function AssistantMessage({ text, live }: { readonly text: string; readonly live: string | undefined }) {
  if (text === '' && live === undefined) return null;
  return (
    <div className="assistant-message">
      {live === undefined ? <Markdown text={text} /> : <StreamedMarkdown text={text + live} />}
    </div>
  );
}
