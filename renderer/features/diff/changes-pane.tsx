/** What one entry of the history changed, file by file; it takes the place of the conversation. */

import { ArrowLeft, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CaptureSummary } from '../../../shared/history.ts';
import type { TurnDiff } from '../../../shared/session.ts';
import { call, messageOf } from '../../api/client.ts';
import { countFiles, isFolder, sharedMarks, without } from '../../lib/changes.ts';
import { plural, splitPath } from '../../lib/text.ts';
import { useHistory } from '../../state/history-store.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { type ShownChanges, useWindow } from '../../state/window-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ChangeMark, LineCounts } from '../../ui/change-mark.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { DiffView } from './diff-view.tsx';
import './changes-pane.css';

export function ChangesPane({ turn, path }: ShownChanges) {
  const [diffs, setDiffs] = useState<readonly TurnDiff[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const entry = useHistory(({ entries }) => entries.find((one) => one.turn === turn));
  const showChanges = useWindow((open) => open.showChanges);
  const openRewind = useWindow((open) => open.openRewind);
  const shared = sharedMarks(entry?.captures ?? []);
  const pane = useRef<HTMLElement>(null);

  useEffect(() => {
    let wanted = true;
    setDiffs(null);
    setError(null);
    call('history:diff', { workspaceId: currentWorkspaceId(), turn })
      .then((loaded) => wanted && setDiffs(loaded))
      .catch((reason: unknown) => wanted && setError(messageOf(reason)));
    return () => {
      wanted = false;
    };
  }, [turn]);

  useEffect(() => {
    pane.current?.focus();
  }, []);

  useEffect(() => {
    if (diffs === null || path === null) return;
    document.getElementById(sectionId(path))?.scrollIntoView({ block: 'start' });
  }, [diffs, path]);

  return (
    <section
      ref={pane}
      className="changes"
      aria-label={`Changes of turn ${turn}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') showChanges(null);
      }}
    >
      <header className="changes-header">
        <IconButton label="Back to the conversation" shortcut="Esc" onClick={() => showChanges(null)}>
          <ArrowLeft />
        </IconButton>
        <div className="changes-title">
          <h2 className="truncate">{entry?.label ?? `Turn ${turn}`}</h2>
          <p className="faint truncate">
            {[
              `Turn ${turn}`,
              entry !== undefined && plural(countFiles(entry.captures), 'file'),
              entry?.status === 'rewound' && 'rewound',
              ...shared,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {entry?.kind === 'agent' && entry.status === 'kept' && (
          <Button
            size="small"
            icon={<RotateCcw aria-hidden />}
            onClick={() => openRewind({ kind: 'rewind', turn })}
          >
            Undo turn…
          </Button>
        )}
      </header>
      <div className="changes-body">
        {entry?.notes.map((note) => (
          <Callout key={note}>
            <WithCode text={note} />
          </Callout>
        ))}
        {error !== null && <Callout level="error">{error}</Callout>}
        {diffs?.length === 0 && (
          <EmptyState title="Nothing changed">This turn left every file as it was.</EmptyState>
        )}
        {diffs !== null && diffs.length > 0 && (
          <ul className="changes-files">
            <LongList items={inSight(diffs, path)} step={25} noun="files">
              {(diff) => {
                const capture = entry?.captures.find(({ path: one }) => one === diff.path);
                const marks = without(capture?.marks ?? [], shared);
                return <FileChanges key={diff.path} diff={diff} capture={capture} marks={marks} />;
              }}
            </LongList>
          </ul>
        )}
        {diffs === null && error === null && <p className="faint changes-loading">Comparing…</p>}
      </div>
    </section>
  );
}

const sectionId = (path: string) => `changes-${path}`;

/** The asked file comes first where it would otherwise be beyond the first page. */
function inSight(diffs: readonly TurnDiff[], path: string | null): readonly TurnDiff[] {
  const index = diffs.findIndex((diff) => diff.path === path);
  const asked = diffs[index];
  return asked === undefined || index < 25 ? diffs : [asked, ...diffs.toSpliced(index, 1)];
}

interface FileChangesProps {
  readonly diff: TurnDiff;
  readonly capture: CaptureSummary | undefined;
  readonly marks: readonly string[];
}

function FileChanges({ diff, capture, marks }: FileChangesProps) {
  const { folder, name } = splitPath(diff.path);
  return (
    <li>
      <details open className="changes-file" id={sectionId(diff.path)}>
        <summary>
          <ChangeMark change={capture?.change ?? null} />
          <span className="changes-path truncate" title={diff.path}>
            <span className="faint">{folder}</span>
            {name}
            {capture !== undefined && isFolder(capture) && '/'}
          </span>
          {marks.map((mark) => (
            <span key={mark} className="badge badge-amber">
              {mark}
            </span>
          ))}
          {diff.kind === 'text' && <LineCounts added={diff.added} removed={diff.removed} />}
        </summary>
        <DiffView diff={diff} />
      </details>
    </li>
  );
}
