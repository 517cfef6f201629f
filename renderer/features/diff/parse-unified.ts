/** Reads a unified diff into rows to draw, and finds which words of a changed line changed. Pure. */

import { diffWordsWithSpace, parsePatch } from 'diff';

export interface DiffRow {
  readonly kind: 'hunk' | 'context' | 'added' | 'removed' | 'note';
  readonly text: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  /** The other side of a line that was changed, for marking the words. */
  readonly counterpart: string | null;
}

/** null when the text is no unified diff: the caller shows it as it is. */
export function parseUnified(unified: string): DiffRow[] | null {
  try {
    return parsePatch(unified).flatMap(({ hunks }) => hunks.flatMap(rowsOfHunk));
  } catch {
    return null;
  }
}

type Hunk = ReturnType<typeof parsePatch>[number]['hunks'][number];

/** Where the hunk stands in the new file; in the old one where nothing is left of it. */
function rangeOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const [start, lines] = newLines === 0 ? [oldStart, oldLines] : [newStart, newLines];
  return lines > 1 ? `Lines ${start}–${start + lines - 1}` : `Line ${start}`;
}

function rowsOfHunk(hunk: Hunk): DiffRow[] {
  const rows: DiffRow[] = [
    {
      kind: 'hunk',
      text: rangeOf(hunk),
      oldLine: null,
      newLine: null,
      counterpart: null,
    },
  ];
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  for (const line of hunk.lines) {
    const text = line.slice(1);
    const sign = line[0];
    if (sign === '-')
      rows.push({ kind: 'removed', text, oldLine: oldLine++, newLine: null, counterpart: null });
    else if (sign === '+')
      rows.push({ kind: 'added', text, oldLine: null, newLine: newLine++, counterpart: null });
    else if (sign === '\\')
      rows.push({ kind: 'note', text: text.trim(), oldLine: null, newLine: null, counterpart: null });
    else rows.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++, counterpart: null });
  }
  return withCounterparts(rows);
}

/** Pairs the lines of a removed run with those of the added run right after it, one by one. */
function withCounterparts(rows: readonly DiffRow[]): DiffRow[] {
  const paired = [...rows];
  let index = 0;
  while (index < rows.length) {
    const removed = runLength(rows, index, 'removed');
    const added = runLength(rows, index + removed, 'added');
    for (let offset = 0; offset < Math.min(removed, added); offset++) {
      const before = rows[index + offset];
      const after = rows[index + removed + offset];
      if (before === undefined || after === undefined) continue;
      paired[index + offset] = { ...before, counterpart: after.text };
      paired[index + removed + offset] = { ...after, counterpart: before.text };
    }
    index += Math.max(1, removed + added);
  }
  return paired;
}

function runLength(rows: readonly DiffRow[], from: number, kind: DiffRow['kind']): number {
  let length = 0;
  while (rows[from + length]?.kind === kind) length++;
  return length;
}

/** Comparing words of very long lines (minified code) would block the page. */
const MAX_COMPARED_LENGTH = 500;

export interface Segment {
  readonly text: string;
  readonly changed: boolean;
}

/** The line in pieces, those marked that the other side does not have. A line with little in common stays whole. */
export function segmentsOf({ kind, text, counterpart }: DiffRow): Segment[] {
  const whole = [{ text, changed: false }];
  if (counterpart === null || text.length + counterpart.length > MAX_COMPARED_LENGTH) return whole;
  const [before, after] = kind === 'removed' ? [text, counterpart] : [counterpart, text];
  const parts = diffWordsWithSpace(before, after);
  const mine = parts.filter((part) => (kind === 'removed' ? !part.added : !part.removed));
  const common = parts.filter((part) => !part.added && !part.removed);
  const commonLength = common.reduce((sum, part) => sum + part.value.trim().length, 0);
  if (commonLength * 3 < text.trim().length) return whole;
  return mine.map((part) => ({ text: part.value, changed: part.added || part.removed }));
}
