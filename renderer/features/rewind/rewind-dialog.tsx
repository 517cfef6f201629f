/** The dialog of going back: choose a turn, see what will change, decide conflicts, begin. */

import { Clock } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TurnNumber } from '../../../shared/ids.ts';
import type { RestoreScope } from '../../../shared/rewind.ts';
import { plural } from '../../lib/text.ts';
import { useHistory } from '../../state/history-store.ts';
import { useRunning, useSession } from '../../state/session-store.ts';
import { type RewindRequest, useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { ProgressRow } from '../workspace/progress-strip.tsx';
import { type Choices, whyNot } from './plan-groups.ts';
import { PlanView } from './plan-view.tsx';
import { TurnListbox } from './turn-listbox.tsx';
import { useApply } from './use-apply.ts';
import { type PlanState, usePlan } from './use-plan.ts';
import './rewind-dialog.css';

const SCOPES = [
  { value: 'files-and-chat', label: 'Files and chat' },
  { value: 'files-only', label: 'Files only' },
  { value: 'chat-only', label: 'Chat only' },
] as const satisfies readonly { value: RestoreScope; label: string }[];

export function RewindDialog({ request }: { readonly request: RewindRequest }) {
  const isRedo = request.kind === 'redo';
  const singleFiles = request.paths !== undefined;
  const [turn, setTurn] = useState<TurnNumber | null>(request.turn);
  const [choices, setChoices] = useState<Choices>({});
  // Single files have no chat to go back with.
  const [scope, setScope] = useState<RestoreScope>(singleFiles ? 'files-only' : 'files-and-chat');
  const entries = useHistory((history) => history.entries);
  const loadOlder = useHistory((history) => history.loadOlder);
  const close = useWindow((open) => open.closeRewind);
  const running = useRunning();
  const { state, refresh } = usePlan({
    kind: request.kind,
    turn,
    paths: request.paths,
    paused: running !== null,
  });
  const plan = state.status === 'ready' ? state.plan : null;
  const { applying, message, apply } = useApply({ onStale: refresh, onDone: close });
  const region = useRef<HTMLElement>(null);
  const obstacle = whyNot(plan, choices, scope, running !== null);
  const verb = isRedo ? 'Undo rewind' : 'Rewind';

  const select = (next: TurnNumber | null) => {
    setTurn(next);
    setChoices({});
  };

  return (
    <Dialog
      title={verb}
      className={isRedo ? 'rewind rewind-redo' : 'rewind'}
      onClose={() => !applying && close()}
      {...(singleFiles ? { subtitle: `Only ${request.paths.join(', ')}` } : {})}
      footer={
        <>
          {!isRedo && (
            <div className="rewind-scope">
              <RadioGroup
                look="segments"
                name="Restore"
                options={SCOPES}
                value={scope}
                onChange={setScope}
                disabled={applying || singleFiles}
              />
            </div>
          )}
          {obstacle !== null && turn !== null && running === null && state.status === 'ready' && (
            <span className="rewind-obstacle">{obstacle}</span>
          )}
          <span className="dialog-answers">
            <Button look="quiet" disabled={applying} onClick={close}>
              Cancel
            </Button>
            <Button
              look="primary"
              disabled={plan === null || obstacle !== null || applying}
              onClick={() => plan !== null && void apply({ plan, scope, choices, paths: request.paths })}
            >
              {verb}
            </Button>
          </span>
        </>
      }
    >
      {!isRedo && (
        <TurnListbox
          turns={entries.filter(({ kind }) => kind === 'agent')}
          selected={turn}
          onSelect={select}
          onEnter={() => (turn === null ? close() : region.current?.focus())}
          onEndReached={() => void loadOlder()}
        />
      )}
      <section
        ref={region}
        className="rewind-plan"
        aria-label="What will change"
        tabIndex={-1}
        aria-busy={applying}
      >
        {request.message !== undefined && turn === request.turn && <Callout>{request.message}</Callout>}
        {message !== null && <Callout level={message.level}>{message.text}</Callout>}
        {running !== null ? (
          <RunningTurn turn={running} />
        ) : applying ? (
          <Applying />
        ) : scope === 'chat-only' && turn !== null ? (
          <EmptyState title="Files stay as they are">
            Only the conversation goes back to right before turn {turn}. What was said since stays readable
            under earlier conversations.
          </EmptyState>
        ) : (
          <PlanArea
            state={state}
            onRetry={refresh}
            view={(ready) => (
              <PlanView
                plan={ready}
                choices={choices}
                disabled={applying}
                onChoose={(paths, choice) =>
                  setChoices({ ...choices, ...Object.fromEntries(paths.map((path) => [path, choice])) })
                }
              />
            )}
          />
        )}
      </section>
    </Dialog>
  );
}

interface PlanAreaProps {
  readonly state: PlanState;
  readonly onRetry: () => void;
  readonly view: (plan: Extract<PlanState, { status: 'ready' }>['plan']) => React.ReactNode;
}

function PlanArea({ state, onRetry, view }: PlanAreaProps) {
  const turns = useHistory(({ entries }) => entries.length);
  switch (state.status) {
    case 'none':
      return (
        <EmptyState icon={<Clock aria-hidden />} title="This is now">
          {turns === 0
            ? 'There is no turn yet. Once an agent has changed something, you can go back to right before it.'
            : 'Choose a turn on the left to see what going back would change. Nothing happens until you press Rewind.'}
        </EmptyState>
      );
    case 'loading':
      return (
        <div className="rewind-wait" role="status">
          <ProgressBar name="Comparing with the folder" done={0} total={null} />
          <p className="faint">Comparing with the folder…</p>
        </div>
      );
    case 'failed':
      return (
        <Callout
          level="error"
          actions={
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {state.message}
        </Callout>
      );
    case 'ready':
      return view(state.plan);
  }
}

function RunningTurn({ turn }: { readonly turn: TurnNumber }) {
  const stop = useSession((session) => session.stop);
  const [stopping, setStopping] = useState(false);
  return (
    <Callout
      level="warning"
      actions={
        <Button
          size="small"
          disabled={stopping}
          onClick={() => {
            setStopping(true);
            stop().catch(() => setStopping(false));
          }}
        >
          Stop the turn
        </Button>
      }
    >
      Turn {turn} is running. A rewind has to wait until it has ended; what it wrote so far stays recorded
      when you stop it.
    </Callout>
  );
}

function Applying() {
  const progress = useSession(({ view }) => view?.progress);
  return (
    <div className="rewind-wait" role="status">
      {progress !== undefined && progress.length > 0 ? (
        progress.map((one) => <ProgressRow key={one.id} progress={one} />)
      ) : (
        <ProgressBar name="Going back" done={0} total={null} />
      )}
      <p className="faint">
        {progress?.[0]?.total ? `Going back, ${plural(progress[0].total, 'file')}…` : 'Going back…'}
      </p>
    </div>
  );
}
