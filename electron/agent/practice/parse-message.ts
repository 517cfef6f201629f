/** Reads a message to the practice agent: one JSON array of tool calls, or lines of plain words. */

import { z } from 'zod';

export type PracticeStep =
  | { readonly kind: 'call'; readonly tool: string; readonly input: unknown }
  /** Adds a line at the end of a file; what is written depends on the file's present text. */
  | { readonly kind: 'append'; readonly path: string; readonly text: string };

const callsSchema = z.array(z.looseObject({ tool: z.string() }));

/** null when the message is neither; nothing of it is run then, also where some lines could be read. */
export function parseMessage(message: string): PracticeStep[] | null {
  if (message.trimStart().startsWith('[')) return parseCalls(message);
  const lines = message
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const steps = lines.map(parseWords).filter((step) => step !== null);
  return lines.length > 0 && steps.length === lines.length ? steps : null;
}

function parseCalls(message: string): PracticeStep[] | null {
  let json: unknown;
  try {
    json = JSON.parse(message);
  } catch {
    return null;
  }
  const calls = callsSchema.safeParse(json);
  if (!calls.success) return null;
  return calls.data.map(({ tool, ...input }) => ({ kind: 'call', tool, input }));
}

/** A path as it stands, up to the first colon before a space; or in double quotes. */
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const WRITE = new RegExp(`^(write|append)\\s+(${QUOTED}|[^"\\s].*?)\\s*:(?:\\s(.*))?$`, 'i');
const REPLACE = new RegExp(`^replace\\s+(${QUOTED})\\s+with\\s+(${QUOTED})\\s+in\\s+(.+)$`, 'i');
const MOVE_QUOTED = new RegExp(`^move\\s+(${QUOTED})\\s+to\\s+(.+)$`, 'i');
const MOVE = /^move\s+(\S.*?)\s+to\s+(\S.*)$/i;
const DELETE = /^delete\s+(\S.*)$/i;
const RUN = /^run\s*:\s*(\S.*)$/i;

function parseWords(line: string): PracticeStep | null {
  const call = (tool: string, input: unknown): PracticeStep => ({ kind: 'call', tool, input });

  const [, verb, target, text = ''] = WRITE.exec(line) ?? [];
  if (verb !== undefined && target !== undefined) {
    const path = unquoted(target);
    return verb.toLowerCase() === 'append'
      ? { kind: 'append', path, text }
      : call('write_file', { path, content: `${text}\n` });
  }
  const [, old, replacement, file] = REPLACE.exec(line) ?? [];
  if (old !== undefined && replacement !== undefined && file !== undefined) {
    return call('edit_file', {
      path: unquoted(file),
      old: unquoted(old),
      new: unquoted(replacement),
      all: true,
    });
  }
  const [, from, to] = MOVE_QUOTED.exec(line) ?? MOVE.exec(line) ?? [];
  if (from !== undefined && to !== undefined) {
    // "move a to b to c" could be meant in two ways; quotes say which.
    if (!to.startsWith('"') && / to /i.test(to)) return null;
    return call('move_file', { from: unquoted(from), to: unquoted(to) });
  }
  const [, doomed] = DELETE.exec(line) ?? [];
  if (doomed !== undefined) return call('delete_file', { path: unquoted(doomed), recursive: true });
  const [, command] = RUN.exec(line) ?? [];
  if (command !== undefined) return call('run_command', { command });
  return null;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' };

/** Takes the quotes off; inside them \" \\ \n \t stand for themselves, and any other backslash stays. */
function unquoted(text: string): string {
  if (!(text.length >= 2 && text.startsWith('"') && text.endsWith('"'))) return text;
  return text.slice(1, -1).replace(/\\(.)/g, (whole, character: string) => ESCAPES[character] ?? whole);
}
