/** What a turn came to: the files it changed, and plainly what a rewind could not bring back. */

import { Check, CircleStop, X } from 'lucide-react';
import { memo } from 'react';
import type { TurnOutcome } from '../../../shared/history.ts';
import type { TurnNumber } from '../../../shared/ids.ts';
import type { ChatItem } from '../../../shared/transcript.ts';
import { plural } from '../../lib/text.ts';
import { useHistory } from '../../state/history-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { ChangeMark } from '../../ui/change-mark.tsx';
import { NotCoveredList } from '../../ui/not-covered-list.tsx';
import './messages.css';

interface TurnEndProps {
  readonly item: Extract<ChatItem, { type: 'turn-end' }>;
  readonly turn: TurnNumber | null;
}

const CHIPS = 8;

const OUTCOMES: Record<TurnOutcome, string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Finished with failures',
  stopped: 'Stopped',
  interrupted: 'Interrupted: the app ended during this turn',
};

export const TurnEnd = memo(function TurnEnd({ item, turn }: TurnEndProps) {
  const { files, notCovered, outcome } = item;
  const showChanges = useWindow((open) => open.showChanges);
  const openRewind = useWindow((open) => open.openRewind);
  const rewound = useHistory(({ entries }) =>
    entries.some((entry) => entry.turn === turn && entry.status === 'rewound'),
  );
  if (files.length === 0 && notCovered.length === 0) {
    return <p className="turn-end-quiet">{OUTCOMES[outcome]} · no file changed</p>;
  }
  return (
    <section className="turn-end" aria-label={turn === null ? 'Turn summary' : `Summary of turn ${turn}`}>
      <div className="turn-end-line">
        <OutcomeIcon outcome={outcome} />
        <span className="turn-end-words">
          {outcome === 'done' && files.length > 0 ? '' : `${OUTCOMES[outcome]} · `}
          {files.length === 0 ? 'no file changed' : `${plural(files.length, 'file')} changed`}
          {rewound && <span className="faint"> · rewound since</span>}
        </span>
        {turn !== null && files.length > 0 && (
          <Button look="quiet" size="small" onClick={() => showChanges({ turn, path: null })}>
            View diff
          </Button>
        )}
        {turn !== null && !rewound && (
          <Button look="quiet" size="small" onClick={() => openRewind({ kind: 'rewind', turn })}>
            Undo turn…
          </Button>
        )}
      </div>
      {files.length > 0 && (
        <ul className="file-chips">
          {files.slice(0, CHIPS).map(({ path, change }) => (
            <li key={path}>
              <button
                type="button"
                className="file-chip"
                title={path}
                disabled={turn === null}
                onClick={() => turn !== null && showChanges({ turn, path })}
              >
                <ChangeMark change={change} />
                <span className="truncate">{path}</span>
              </button>
            </li>
          ))}
          {files.length > CHIPS && turn !== null && (
            <li>
              <button type="button" className="file-chip" onClick={() => showChanges({ turn, path: null })}>
                +{(files.length - CHIPS).toLocaleString()} more
              </button>
            </li>
          )}
        </ul>
      )}
      {notCovered.length > 0 && <NotCoveredList items={notCovered} />}
    </section>
  );
});

function OutcomeIcon({ outcome }: { readonly outcome: TurnOutcome }) {
  if (outcome === 'done') return <Check className="tool-ok" aria-hidden />;
  if (outcome === 'stopped') return <CircleStop className="faint" aria-hidden />;
  return <X className="tool-bad" aria-hidden />;
}
