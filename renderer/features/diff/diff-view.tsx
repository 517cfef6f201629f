/** Draws one file's change: unified, with line numbers and marked words; only what is in sight of a long one. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef } from 'react';
import type { TurnDiff } from '../../../shared/session.ts';
import { formatBytes } from '../../lib/text.ts';
import { type DiffRow, parseUnified, segmentsOf } from './parse-unified.ts';
import './diff-view.css';

const ROW_HEIGHT = 20;
/** Longer diffs scroll in a box of their own, so that a file of 50,000 lines costs what fits on the screen. */
const VIRTUAL_FROM = 300;

export function DiffView({ diff }: { readonly diff: TurnDiff }) {
  switch (diff.kind) {
    case 'text':
      return <UnifiedDiff unified={diff.unified} />;
    case 'binary':
      return <p className="diff-none">Binary file, {sizeChange(diff.beforeBytes, diff.afterBytes)}.</p>;
    case 'none':
      return <p className="diff-none">{diff.reason}</p>;
  }
}

function sizeChange(before: number | null, after: number | null): string {
  if (before === null) return after === null ? 'size unknown' : `new, ${formatBytes(after)}`;
  if (after === null) return `removed, was ${formatBytes(before)}`;
  return `${formatBytes(before)} before, ${formatBytes(after)} after`;
}

export function UnifiedDiff({ unified }: { readonly unified: string }) {
  const rows = useMemo(() => parseUnified(unified), [unified]);
  if (rows === null) return <pre className="diff-raw">{unified}</pre>;
  if (rows.length === 0) return <p className="diff-none">No line changed.</p>;
  return rows.length < VIRTUAL_FROM ? <ShortDiff rows={rows} /> : <LongDiff rows={rows} />;
}

function ShortDiff({ rows }: { readonly rows: readonly DiffRow[] }) {
  return (
    <div className="diff">
      <div className="diff-rows">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a parsed diff never move
          <Row key={index} row={row} />
        ))}
      </div>
    </div>
  );
}

function LongDiff({ rows }: { readonly rows: readonly DiffRow[] }) {
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  });
  // The widest line sets the width at once; otherwise it would jump while scrolling.
  const widest = useMemo(() => rows.reduce((most, { text }) => Math.max(most, text.length), 0), [rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="diff diff-long" ref={box} tabIndex={0} aria-label="Changed lines">
      <div
        className="diff-rows"
        style={{ height: virtual.getTotalSize(), minWidth: `calc(${widest}ch + var(--diff-gutter))` }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : <Row key={index} row={row} top={start} />;
        })}
      </div>
    </section>
  );
}

const SIGNS: Record<DiffRow['kind'], string> = {
  added: '+',
  removed: '−',
  context: ' ',
  hunk: ' ',
  note: ' ',
};

const Row = memo(function Row({ row, top }: { readonly row: DiffRow; readonly top?: number }) {
  return (
    <div
      className={`diff-row diff-${row.kind}`}
      style={
        top === undefined ? undefined : { position: 'absolute', top: 0, transform: `translateY(${top}px)` }
      }
    >
      <span className="diff-number">{row.oldLine}</span>
      <span className="diff-number">{row.newLine}</span>
      <span className="diff-sign">{SIGNS[row.kind]}</span>
      <span className="diff-text">
        {segmentsOf(row).map(({ text, changed }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line never move
          changed ? <mark key={index}>{text}</mark> : text,
        )}
      </span>
    </div>
  );
});
