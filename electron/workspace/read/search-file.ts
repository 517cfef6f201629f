/** Searches one text for a pattern, line by line. Pure; a thread of its own runs it, since a bad pattern can run for ever. */

import { literalsIn } from './literal.ts';

export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface Pattern {
  readonly expression: RegExp;
  /** Every match holds each of these. */
  readonly needed: readonly Buffer[];
  /** The pattern is no regular expression, and was taken as it is. */
  readonly isPlainText: boolean;
}

const LONGEST_LINE = 400;
/** How much of a long line stands before the match. */
const BEFORE_MATCH = 100;

export function patternOf(pattern: string): Pattern {
  // Other languages have this, and models write it.
  const [ignoresCase, rest] = pattern.startsWith('(?i)') ? ['i', pattern.slice(4)] : ['', pattern];
  // The first is right about characters outside of the basic plane, the second forgives needless backslashes.
  const expression = compiled(rest, `u${ignoresCase}`) ?? compiled(rest, ignoresCase);
  if (expression !== null) {
    const needed = ignoresCase === '' ? literalsIn(rest) : [];
    return { expression, needed: needed.map((text) => Buffer.from(text)), isPlainText: false };
  }
  const escaped = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'u');
  return { expression: escaped, needed: [Buffer.from(pattern)], isPlainText: true };
}

function compiled(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

/** Nothing is found in what is not text. At most `most` lines. */
export function searchText(bytes: Buffer, { expression, needed }: Pattern, most: number): FoundLine[] {
  const found: FoundLine[] = [];
  if (bytes.includes(0) || !needed.every((text) => bytes.includes(text))) return found;
  const text = bytes.toString('utf8');
  for (let line = 1, start = 0; start < text.length && found.length < most; line += 1) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const whole = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    const at = whole.search(expression);
    if (at !== -1) found.push({ line, text: shown(whole, at) });
    start = end + 1;
  }
  return found;
}

function shown(line: string, at: number): string {
  if (line.length <= LONGEST_LINE) return line;
  const start = Math.max(0, at - BEFORE_MATCH);
  const end = start + LONGEST_LINE;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
