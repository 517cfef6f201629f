/** The conversation before its first message: how it works, in three lines, with messages to try. */

import { CornerDownLeft } from 'lucide-react';
import { focusComposer } from '../../lib/focus-composer.ts';
import { useApp } from '../../state/app-store.ts';
import { useDraft } from '../../state/draft-store.ts';
import { FirstRun } from '../agents/first-run.tsx';
import './empty-conversation.css';

const EXAMPLES = [
  { message: 'write notes.md: Ideas for the garden', teaches: 'writes a file; History shows it at once' },
  { message: 'append notes.md: Plant the tomatoes in May', teaches: 'changes it in a second turn' },
  { message: 'run: ls -la && date > today.txt', teaches: 'runs a command, after asking you' },
];

export function EmptyConversation() {
  const firstRun = useApp(({ state }) => state?.firstRun === true);
  const setText = useDraft((draft) => draft.setText);
  return (
    <div className="empty-chat">
      <div>
        <h2 className="empty-chat-title">Every turn can be taken back</h2>
        <p className="quiet">
          Ask for something. What an agent changes in this folder is recorded before it happens, also files
          that git ignores. <kbd>Esc</kbd> <kbd>Esc</kbd> or <code>/rewind</code> puts the folder back to
          right before a turn.
        </p>
      </div>
      {firstRun && <FirstRun />}
      <div>
        <h3 className="empty-chat-heading">
          Try it with the practice agent, which does exactly what a message says
        </h3>
        <ul className="examples">
          {EXAMPLES.map(({ message, teaches }) => (
            <li key={message}>
              <button
                type="button"
                className="example"
                onClick={() => {
                  setText(message);
                  focusComposer();
                }}
              >
                <span className="example-words">
                  <code>{message}</code>
                  <span className="faint">{teaches}</span>
                </span>
                <CornerDownLeft aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
