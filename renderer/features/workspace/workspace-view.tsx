/** An open folder: its conversation, the message being written, and the history beside them. */

import { useEffect, useState } from 'react';
import type { WorkspaceInfo } from '../../../shared/app-state.ts';
import { readStored } from '../../lib/stored.ts';
import { useApp } from '../../state/app-store.ts';
import { useSession } from '../../state/session-store.ts';
import { NARROW_WIDTH, useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { BranchesDialog } from '../chat/branches-dialog.tsx';
import { Composer } from '../chat/composer.tsx';
import { Conversation } from '../chat/conversation.tsx';
import { ChangesPane } from '../diff/changes-pane.tsx';
import { HistoryPanel } from '../history/history-panel.tsx';
import { RewindDialog } from '../rewind/rewind-dialog.tsx';
import { Header } from './header.tsx';
import { ProgressStrip } from './progress-strip.tsx';
import './workspace-view.css';

export function WorkspaceView({ workspace }: { readonly workspace: WorkspaceInfo }) {
  const changes = useWindow((open) => open.changes);
  const rewind = useWindow((open) => open.rewind);
  const historyOpen = useWindow((open) => open.historyOpen);
  const branchesOpen = useWindow((open) => open.branchesOpen);
  useNarrowWindow();
  return (
    <div className="workspace">
      <Header workspace={workspace} />
      <div className="workspace-columns">
        <main className="workspace-main">
          <Problems />
          {changes === null ? <Conversation /> : <ChangesPane {...changes} />}
          <div className="workspace-bottom">
            {changes !== null && <WaitingQuestion />}
            <ProgressStrip />
            <Composer />
          </div>
        </main>
        {historyOpen && <HistoryPanel />}
      </div>
      {rewind !== null && <RewindDialog request={rewind} />}
      {branchesOpen && <BranchesDialog />}
    </div>
  );
}

/** The agent's question stands in the conversation, which the changes cover. */
function WaitingQuestion() {
  const waits = useSession(({ view }) => view !== null && view.approvals.length > 0);
  const showChanges = useWindow((open) => open.showChanges);
  if (!waits) return null;
  return (
    <Callout
      level="warning"
      className="workspace-question"
      actions={
        <Button size="small" onClick={() => showChanges(null)}>
          Show the question
        </Button>
      }
    >
      The agent waits for your answer.
    </Callout>
  );
}

/** What the person should know about the folder before anything else. */
function Problems() {
  const loadError = useSession((session) => session.loadError);
  const appError = useApp((app) => app.error);
  const fail = useApp((app) => app.fail);
  const reload = useSession((session) => session.reload);
  const readOnly = useSession(({ view }) => view?.readOnly === true);
  const [recoverySeen, setRecoverySeen] = useState(false);
  const told = useSession(({ view }) => view?.recovered ?? NOTHING);
  const recovered = recoverySeen ? NOTHING : told;
  if (loadError === null && appError === null && !readOnly && recovered.length === 0) return null;
  return (
    <div className="workspace-problems">
      {loadError !== null && (
        <Callout
          level="error"
          actions={
            <Button size="small" onClick={() => void reload()}>
              Try again
            </Button>
          }
        >
          {loadError}
        </Callout>
      )}
      {appError !== null && (
        <Callout
          level="error"
          actions={
            <Button size="small" onClick={() => fail(null)}>
              Dismiss
            </Button>
          }
        >
          {appError}
        </Callout>
      )}
      {readOnly && (
        <Callout level="warning">
          This folder can only be read: you can look through its history, but nothing can be written or
          rewound.
        </Callout>
      )}
      {recovered.length > 0 && (
        <Callout
          actions={
            <Button size="small" onClick={() => setRecoverySeen(true)}>
              Dismiss
            </Button>
          }
        >
          <p>The last run ended early. The folder was checked when it was opened:</p>
          {recovered.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Callout>
      )}
    </div>
  );
}

const NOTHING: readonly string[] = [];

/** The panel makes room when the window gets narrow, and comes back as the person had it. */
function useNarrowWindow(): void {
  useEffect(() => {
    const narrow = window.matchMedia(`(max-width: ${NARROW_WIDTH - 1}px)`);
    const follow = () => {
      useWindow.getState().setHistoryOpen(!narrow.matches && readStored('history-open') !== 'no');
    };
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
}
