/** One entry of the history: what was asked, when, what came of it; opens to its files. */

import { ChevronRight, FileDiff, RotateCcw, ShieldAlert, Undo2 } from 'lucide-react';
import { memo, useId } from 'react';
import type { CaptureSummary, EntrySummary } from '../../../shared/history.ts';
import { countFiles, isFolder, pathOf, sharedMarks, without } from '../../lib/changes.ts';
import { cx, plural, splitPath } from '../../lib/text.ts';
import { exactTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { NARROW_WIDTH, useWindow } from '../../state/window-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { ChangeMark, LineCounts } from '../../ui/change-mark.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { NotCoveredList } from '../../ui/not-covered-list.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import './history-entry.css';

interface HistoryEntryProps {
  readonly entry: EntrySummary;
  readonly open: boolean;
  /** Its changes are what the main column shows. */
  readonly shown: boolean;
  readonly onToggle: (open: boolean) => void;
}

export const HistoryEntry = memo(function HistoryEntry({ entry, open, shown, onToggle }: HistoryEntryProps) {
  const now = useNow();
  const id = useId();
  const { turn, kind, status, label, atMs, captures, notCovered, outcome } = entry;
  const openRewind = useWindow((one) => one.openRewind);
  const files = countFiles(captures);
  const lines = sumOf(captures);
  const isTurn = kind === 'agent';
  return (
    <li
      className={cx(
        'entry',
        `entry-${kind}`,
        status === 'rewound' && 'entry-rewound',
        shown && 'entry-shown',
      )}
    >
      <button
        type="button"
        className="entry-line"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onToggle(!open)}
      >
        {isTurn ? (
          <ChevronRight className="entry-chevron" aria-hidden />
        ) : (
          <RotateCcw className="entry-kind" aria-hidden />
        )}
        <span className="entry-words">
          <span className="entry-label">{label === '' ? 'Without words' : label}</span>
          <span className="entry-meta">
            <span>
              {isTurn ? 'Turn' : 'Rewind'} {turn}
            </span>
            <time dateTime={new Date(atMs).toISOString()} title={exactTime(atMs)}>
              {relativeTime(atMs, now)}
            </time>
            <span>{outcome === 'running' ? 'running' : plural(files, 'file')}</span>
            {lines !== null && <LineCounts {...lines} />}
          </span>
          {(status === 'rewound' ||
            notCovered.length > 0 ||
            outcome === 'interrupted' ||
            outcome === 'stopped') && (
            <span className="entry-badges">
              {status === 'rewound' && <span className="badge">{isTurn ? 'rewound' : 'undone'}</span>}
              {(outcome === 'stopped' || outcome === 'interrupted') && (
                <span className="badge">{outcome}</span>
              )}
              {notCovered.length > 0 && (
                <span className="badge badge-amber">
                  <ShieldAlert aria-hidden /> {notCovered.length.toLocaleString()} not covered
                </span>
              )}
            </span>
          )}
        </span>
      </button>
      <div className="entry-actions">
        <IconButton label="Show changes" disabled={files === 0} onClick={() => show(entry, null)}>
          <FileDiff />
        </IconButton>
        {isTurn && (
          <IconButton
            label="Rewind to before this turn"
            disabled={status === 'rewound' || outcome === 'running'}
            onClick={() => openRewind({ kind: 'rewind', turn })}
          >
            <RotateCcw />
          </IconButton>
        )}
      </div>
      {open && (
        <div id={id} className="entry-body">
          <Files entry={entry} />
          {entry.notes.map((note) => (
            <p key={note} className="entry-note">
              <WithCode text={note} />
            </p>
          ))}
          {notCovered.length > 0 && <NotCoveredList items={notCovered} />}
        </div>
      )}
    </li>
  );
});

function Files({ entry }: { readonly entry: EntrySummary }) {
  const { captures, outcome } = entry;
  if (captures.length === 0)
    return (
      <p className="entry-note">{outcome === 'running' ? 'No file changed so far.' : 'No file changed.'}</p>
    );
  const shared = sharedMarks(captures);
  return (
    <>
      {shared.map((mark) => (
        <p key={mark} className="entry-note">
          All: {mark}
        </p>
      ))}
      <LongList
        className="entry-files"
        items={captures}
        keyOf={pathOf}
        estimate={({ marks }) => 26 + 20 * without(marks, shared).length}
      >
        {(capture) => <FileRow capture={capture} entry={entry} marks={without(capture.marks, shared)} />}
      </LongList>
    </>
  );
}

function show({ turn }: EntrySummary, path: string | null): void {
  const { showChanges, setHistoryOpen } = useWindow.getState();
  showChanges({ turn, path });
  // The overlay would cover what was asked for.
  if (window.innerWidth < NARROW_WIDTH) setHistoryOpen(false);
}

/** null where most were not counted: the sum over a few of many files would mislead. */
function sumOf(captures: readonly CaptureSummary[]): { added: number; removed: number } | null {
  const counted = captures.flatMap(({ lines }) => (lines === null ? [] : [lines]));
  if (counted.length === 0 || counted.length * 4 < captures.length) return null;
  return {
    added: counted.reduce((sum, { added }) => sum + added, 0),
    removed: counted.reduce((sum, { removed }) => sum + removed, 0),
  };
}

interface FileRowProps {
  readonly capture: CaptureSummary;
  readonly entry: EntrySummary;
  readonly marks: readonly string[];
}

function FileRow({ capture, entry, marks }: FileRowProps) {
  const openRewind = useWindow((one) => one.openRewind);
  const { path, change, lines, inForce, pre } = capture;
  const { folder, name } = splitPath(path);
  const restorable = entry.kind === 'agent' && entry.status === 'kept' && inForce && pre.kind !== 'skipped';
  return (
    <div className={cx('entry-file', !inForce && entry.kind === 'agent' && 'entry-file-back')}>
      <button
        type="button"
        className="entry-file-open"
        title={[path, ...capture.marks, inForce || entry.kind === 'rewind' ? '' : 'put back since']
          .filter(Boolean)
          .join('\n')}
        onClick={() => show(entry, path)}
      >
        <ChangeMark change={change} />
        <span className="entry-file-path truncate">
          <span className="entry-file-name">
            {name}
            {isFolder(capture) && '/'}
          </span>
          <span className="faint">{folder}</span>
        </span>
        {pre.kind === 'skipped' && <span className="badge badge-amber">not held</span>}
        {lines !== null && <LineCounts {...lines} />}
      </button>
      {marks.map((mark) => (
        <span key={mark} className="entry-file-mark">
          {mark}
        </span>
      ))}
      {restorable && (
        // Named by the platform's own tooltip, since a row of a long list is drawn while it scrolls into sight.
        <button
          type="button"
          aria-label="Restore this file"
          title="Restore this file"
          className="icon-button entry-file-restore"
          onClick={() => openRewind({ kind: 'rewind', turn: entry.turn, paths: [path] })}
        >
          <Undo2 aria-hidden />
        </button>
      )}
    </div>
  );
}
