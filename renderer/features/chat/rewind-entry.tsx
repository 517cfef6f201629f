/** The report of a rewind in the conversation: what went back, what did not and why, and the way to undo it. */

import { RotateCcw, Undo2 } from 'lucide-react';
import { memo, useState } from 'react';
import type { RewindReport } from '../../../shared/rewind.ts';
import { messageOf } from '../../api/client.ts';
import { plural } from '../../lib/text.ts';
import { useUndoableRewind } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { PathReasons } from '../../ui/path-reasons.tsx';
import { undoRewind } from '../rewind/undo-rewind.ts';
import './messages.css';
import './rewind-entry.css';

export const RewindEntry = memo(function RewindEntry({ report }: { readonly report: RewindReport }) {
  const undoable = useUndoableRewind();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isUndo = report.kind === 'redo';
  const complete = report.failed.length === 0 && report.notDone.length === 0;
  const undo = async () => {
    setBusy(true);
    setError(null);
    await undoRewind().catch((reason: unknown) => setError(messageOf(reason)));
    setBusy(false);
  };
  return (
    <section
      className="rewind-entry"
      aria-label={isUndo ? 'Rewind undone' : `Rewound to before turn ${report.turn}`}
    >
      <div className="turn-end-line">
        {isUndo ? <Undo2 aria-hidden /> : <RotateCcw aria-hidden />}
        <div className="turn-end-words">
          <p>{titleOf(report)}</p>
          <p className="rewind-sum">{summaryOf(report)}</p>
        </div>
        {report.rewind !== null && undoable === report.rewind && (
          <Button size="small" disabled={busy} icon={<Undo2 aria-hidden />} onClick={() => void undo()}>
            Undo rewind
          </Button>
        )}
      </div>
      {error !== null && (
        <Callout level="error" className="rewind-error">
          {error}
        </Callout>
      )}
      {!complete && (
        <div className="rewind-failures">
          <p className="rewind-failures-title">
            {report.failed.length > 0
              ? `${plural(report.failed.length, 'path')} could not go back`
              : 'Stopped before the end'}
          </p>
          <PathReasons items={report.failed} />
          {report.notDone.length > 0 && (
            <p className="quiet">
              Not reached: {plural(report.notDone.length, 'path')}. They are as they were; undo puts
              everything back.
            </p>
          )}
        </div>
      )}
      <PathList name="Restored" paths={report.restored} />
      <PathList name="Deleted" paths={report.deleted} />
      <PathList name="Kept as you have them" paths={report.kept} />
      <PathList name="Not reached" paths={report.notDone} />
    </section>
  );
});

function titleOf(report: RewindReport): string {
  if (report.kind === 'redo') return 'Rewind undone';
  return report.scope === 'chat-only'
    ? `The chat went back to before turn ${report.turn}`
    : `Rewound to before turn ${report.turn}`;
}

function summaryOf(report: RewindReport): string {
  if (report.scope === 'chat-only') return 'Every file stayed as it is.';
  const parts = [
    report.restored.length > 0 && `${plural(report.restored.length, 'file')} restored`,
    report.deleted.length > 0 && `${plural(report.deleted.length, 'file')} deleted`,
    report.kept.length > 0 && `${plural(report.kept.length, 'file')} kept`,
    report.failed.length > 0 && `${report.failed.length.toLocaleString()} failed`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'Every file already was as wanted.';
  return `${parts.join(', ')}.${report.kind === 'rewind' && report.scope === 'files-only' ? ' The chat stayed.' : ''}`;
}

const itself = (path: string): string => path;

function PathList({ name, paths }: { readonly name: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <details className="rewind-paths">
      <summary>
        {name} <span className="faint">{paths.length.toLocaleString()}</span>
      </summary>
      <LongList className="rewind-path-list mono" items={paths} keyOf={itself} estimate={() => 18}>
        {(path) => path}
      </LongList>
    </details>
  );
}
