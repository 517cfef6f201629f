/** Searches one text for a pattern, line by line. Pure; a thread of its own runs it, since a bad pattern can run for ever. */

export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

const LONGEST_LINE = 400;

/** A pattern that is no regular expression is plain text. */
export function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'u');
  }
}

/** null for what is not text. */
export function searchText(bytes: Uint8Array, pattern: RegExp, most: number): FoundLine[] | null {
  if (bytes.includes(0)) return null;
  const found: FoundLine[] = [];
  const lines = new TextDecoder('utf-8').decode(bytes).split(/\r?\n/);
  for (const [index, text] of lines.entries()) {
    if (!pattern.test(text)) continue;
    found.push({
      line: index + 1,
      text: text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text,
    });
    if (found.length === most) break;
  }
  return found;
}
