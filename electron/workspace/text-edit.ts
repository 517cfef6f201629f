/** Replaces exact text in a file's bytes and keeps all the rest: byte order mark, line endings, last newline. Pure. */

import { AppError } from '../../shared/errors.ts';

export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

const MOST_LINES_NAMED = 10;
const LONGEST_LINE_SHOWN = 120;

/** Throws `not-text` unless the bytes are valid UTF-8. A byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('not-text', `${path} is not valid UTF-8 text; it can only be replaced as a whole.`, {
      cause,
      path,
    });
  }
}

/** Throws `edit-no-match` and `edit-not-unique`, which say what is in the file instead. */
export function editText(text: string, edit: TextEdit, path: string): string {
  if (edit.old === '') {
    throw new AppError('edit-no-match', `The text to replace in ${path} is empty; give some text.`, { path });
  }
  const found = matchesOf(text, edit.old);
  if (found.length === 0) {
    throw new AppError(
      'edit-no-match',
      `The text to replace is not in ${path}. ${whatIsThere(text, edit.old)}`,
      {
        path,
      },
    );
  }
  if (found.length > 1 && edit.all !== true) {
    const lines = found.slice(0, MOST_LINES_NAMED).map(({ start }) => lineNumberAt(text, start));
    const more = found.length > MOST_LINES_NAMED ? ', …' : '';
    throw new AppError(
      'edit-not-unique',
      `The text to replace occurs ${found.length} times in ${path} (lines ${lines.join(', ')}${more}); give more of its surroundings, or replace all.`,
      { path },
    );
  }
  const parts: string[] = [];
  let end = 0;
  for (const match of found) {
    // Of occurrences that overlap (`aa` in `aaa`) the first is replaced.
    if (match.start < end) continue;
    parts.push(text.slice(end, match.start), replacementFor(text, match, edit));
    end = match.end;
  }
  return parts.join('') + text.slice(end);
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/**
 * Any line ending in the file stands for any in `old`, since models write `\n`; only an `old` with `\r` is tried as it is first.
 * A match takes whole line endings: the first half of a `\r\n` never stays behind.
 */
function matchesOf(text: string, old: string): Match[] {
  if (!old.includes('\n')) return occurrences(text, old);
  const asGiven = old.includes('\r') ? occurrences(text, old) : [];
  if (asGiven.length > 0) return asGiven;
  // Where, in the text with `\n` alone, a `\r` was left out.
  const leftOut = [...text.matchAll(/\r\n/g)].map(({ index }, before) => index - before);
  const inText = (at: number): number => at + countBelow(leftOut, at);
  return occurrences(withLineFeeds(text), withLineFeeds(old)).map(({ start, end }) => ({
    start: inText(start),
    end: inText(end),
  }));
}

/** Overlapping ones too: they make a place ambiguous. */
function occurrences(text: string, old: string): Match[] {
  const found: Match[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) {
    found.push({ start: at, end: at + old.length });
  }
  return found;
}

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** How many of the ascending numbers are below the limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The new text takes the endings of the place it goes to, unless `old` named exactly those that are there. */
function replacementFor(text: string, { start, end }: Match, edit: TextEdit): string {
  const replaced = text.slice(start, end);
  if (edit.old.includes('\r') && replaced === edit.old) return edit.new;
  const ending = firstEnding(replaced) ?? firstEnding(text.slice(end)) ?? firstEnding(text);
  return ending === undefined ? edit.new : edit.new.replaceAll(/\r?\n/g, ending);
}

const firstEnding = (text: string): string | undefined => /\r?\n/.exec(text)?.[0];

const lineNumberAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function whatIsThere(text: string, old: string): string {
  if (text === '') return 'The file is empty.';
  const lines = text.split(/\r?\n/);
  const wanted = old.split(/\r?\n/).map((line) => line.trim());
  const first = wanted.find((line) => line !== '') ?? '';
  const skipped = Math.max(0, wanted.indexOf(first));
  const trimmed = lines.map((line) => line.trim());
  const loose = trimmed.findIndex((_, at) =>
    wanted.every((line, offset) => trimmed[at + offset - skipped] === line),
  );
  // `findIndex` stands at the first line that is not empty.
  if (loose !== -1 && first !== '') {
    return `Only its spaces differ from what starts at line ${loose + 1}: ${shown(lines[loose] ?? '')}.`;
  }
  const similar = trimmed
    .flatMap((line, at) => (first !== '' && isSimilar(line, first) ? [at] : []))
    .slice(0, 3);
  if (similar.length > 0) {
    return `Similar: ${similar.map((at) => `line ${at + 1} is ${shown(lines[at] ?? '')}`).join(', ')}.`;
  }
  return `Nothing like it is in its ${lines.length} lines; read the file again.`;
}

function isSimilar(line: string, wanted: string): boolean {
  if (line === '') return false;
  const a = line.toLowerCase();
  const b = wanted.toLowerCase();
  if (a === b || a.includes(b)) return true;
  const words = new Set(b.match(/\w+/g) ?? []);
  const shared = new Set(a.match(/\w+/g) ?? []);
  const common = [...words].filter((word) => shared.has(word)).length;
  return words.size > 1 && common * 2 > words.size;
}

const shown = (line: string): string =>
  JSON.stringify(line.length > LONGEST_LINE_SHOWN ? `${line.slice(0, LONGEST_LINE_SHOWN)}…` : line);
