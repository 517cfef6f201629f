/** What one entry of the history changed, file by file; it takes the place of the conversation. */

import { ArrowLeft, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { EntrySummary } from '../../../shared/history.ts';
import { countFiles, pathOf, sharedMarks, without } from '../../lib/changes.ts';
import { focusComposer } from '../../lib/focus-composer.ts';
import { plural } from '../../lib/text.ts';
import { useHistory } from '../../state/history-store.ts';
import { type ShownChanges, useWindow } from '../../state/window-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { FileChanges, type FileMemory, heightOf } from './file-changes.tsx';
import './changes-pane.css';

/** A section's head, and the space above it. */
const HEADER_HEIGHT = 49;

export function ChangesPane({ turn, path }: ShownChanges) {
  const entry = useHistory(({ entries }) => entries.find((one) => one.turn === turn));
  const find = useHistory((history) => history.find);
  const showChanges = useWindow((open) => open.showChanges);
  const openRewind = useWindow((open) => open.openRewind);
  const [missing, setMissing] = useState(false);
  const close = () => {
    showChanges(null);
    focusComposer();
  };
  const pane = useRef<HTMLElement>(null);

  useEffect(() => {
    let wanted = true;
    // The conversation also names turns that are older than what the history has loaded.
    void find(turn).then((found) => wanted && setMissing(found === null));
    return () => {
      wanted = false;
    };
  }, [find, turn]);

  useEffect(() => {
    pane.current?.focus();
  }, []);

  return (
    <section
      ref={pane}
      className="changes"
      aria-label={`Changes of turn ${turn}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <header className="changes-header">
        <IconButton label="Back to the conversation" shortcut="Esc" onClick={close}>
          <ArrowLeft />
        </IconButton>
        <div className="changes-title">
          <h2 className="truncate">{entry?.label ?? `Turn ${turn}`}</h2>
          <p className="faint truncate">{entry === undefined ? `Turn ${turn}` : summaryOf(entry)}</p>
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
      {missing && (
        <div className="changes-notes">
          <Callout level="error">There is no turn {turn} in this folder’s history.</Callout>
        </div>
      )}
      {entry !== undefined && <Changes key={turn} entry={entry} path={path} />}
    </section>
  );
}

function summaryOf({ kind, turn, status, captures }: EntrySummary): string {
  return [
    `${kind === 'agent' ? 'Turn' : 'Rewind'} ${turn}`,
    plural(countFiles(captures), 'file'),
    ...(status === 'rewound' ? [kind === 'agent' ? 'rewound' : 'undone'] : []),
    ...sharedMarks(captures),
  ].join(' · ');
}

function Changes({ entry, path }: { readonly entry: EntrySummary; readonly path: string | null }) {
  const [memory] = useState<FileMemory>(() => ({ diffs: new Map(), folded: new Set() }));
  const { turn, captures, notes } = entry;
  const shared = sharedMarks(captures);
  // One that is still under way has no change yet.
  const changed = captures.filter(({ change, post }) => change !== null || post === null);
  return (
    <>
      {notes.length > 0 && (
        <div className="changes-notes">
          {notes.map((note) => (
            <Callout key={note}>
              <WithCode text={note} />
            </Callout>
          ))}
        </div>
      )}
      {changed.length === 0 ? (
        <EmptyState title="Nothing changed">This turn left every file as it was.</EmptyState>
      ) : (
        <LongList
          className="changes-files"
          items={changed}
          keyOf={pathOf}
          estimate={(capture) => HEADER_HEIGHT + heightOf(capture)}
          from={25}
          reveal={path}
        >
          {(capture) => (
            <FileChanges
              turn={turn}
              capture={capture}
              marks={without(capture.marks, shared)}
              memory={memory}
            />
          )}
        </LongList>
      )}
    </>
  );
}
