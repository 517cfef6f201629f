/** The folder's history beside the conversation: each turn and rewind, its files, and the ways back. */

import { History, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { focusComposer } from '../../lib/focus-composer.ts';
import { useHistory } from '../../state/history-store.ts';
import { NARROW_WIDTH, useWindow } from '../../state/window-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { HistoryEntry } from './history-entry.tsx';
import { ResizeHandle } from './resize-handle.tsx';
import './history-panel.css';

export function HistoryPanel() {
  const entries = useHistory((history) => history.entries);
  const loaded = useHistory((history) => history.loaded);
  const hasOlder = useHistory((history) => history.hasOlder);
  const error = useHistory((history) => history.error);
  const refresh = useHistory((history) => history.refresh);
  const width = useWindow((open) => open.historyWidth);
  const setHistoryOpen = useWindow((open) => open.setHistoryOpen);
  const showChanges = useWindow((open) => open.showChanges);
  const shown = useWindow((open) => open.changes?.turn ?? null);
  /** What the person unfolded or folded; the newest is open by itself. */
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map());
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Over the conversation it is what the person asked for, and Esc leaves it.
    if (window.innerWidth < NARROW_WIDTH) panel.current?.focus();
  }, []);
  const newest = entries[0]?.turn;

  return (
    <aside
      className="history"
      aria-label="History"
      ref={panel}
      tabIndex={-1}
      style={{ width }}
      // Whoever looks at changes from here gets back by the same key as inside of them.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        if (window.innerWidth < NARROW_WIDTH) setHistoryOpen(false);
        else showChanges(null);
        focusComposer();
      }}
    >
      <ResizeHandle />
      <header className="history-header">
        <h2>History</h2>
        <IconButton label="Close history" onClick={() => setHistoryOpen(false)}>
          <X />
        </IconButton>
      </header>
      <div className="history-scroll">
        {error !== null && (
          <Callout
            level="error"
            actions={
              <Button size="small" onClick={() => void refresh()}>
                Try again
              </Button>
            }
          >
            {error}
          </Callout>
        )}
        {loaded && entries.length === 0 && error === null && (
          <EmptyState icon={<History aria-hidden />} title="Nothing happened yet">
            Each turn of an agent appears here with the files it changed, and a way back to right before it.
          </EmptyState>
        )}
        <ol className="history-list" aria-label="Turns">
          {entries.map((entry) => (
            <HistoryEntry
              key={entry.turn}
              entry={entry}
              open={opened.get(entry.turn) ?? (entry.turn === newest || entry.turn === shown)}
              shown={entry.turn === shown}
              onToggle={(open) => setOpened(new Map(opened).set(entry.turn, open))}
            />
          ))}
        </ol>
        {hasOlder && <Older />}
      </div>
    </aside>
  );
}

function Older() {
  const loadOlder = useHistory((history) => history.loadOlder);
  const count = useHistory((history) => history.entries.length);
  const element = useRef<HTMLDivElement>(null);
  // Observed anew after each page, since a page that leaves the end in sight must lead to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) void loadOlder();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [loadOlder, count]);
  return (
    <div ref={element} className="history-older">
      <Button look="quiet" size="small" onClick={() => void loadOlder()}>
        Older
      </Button>
    </div>
  );
}
