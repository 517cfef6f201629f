/** Slash commands of the composer: which there are, and how a line is read. They never reach an agent. */

export const SLASH_COMMANDS = [
  { name: '/rewind', argument: '[turn | last]', summary: 'Put the folder back to before a turn' },
  { name: '/redo', argument: '', summary: 'Undo the last rewind' },
  { name: '/diff', argument: '[turn]', summary: 'Show what a turn changed' },
  { name: '/help', argument: '', summary: 'List the commands' },
] as const;

export type SlashCommandName = (typeof SLASH_COMMANDS)[number]['name'];

export interface SlashCommand {
  readonly name: SlashCommandName;
  /** A turn number, the newest kept turn, or none given. */
  readonly turn: number | 'last' | null;
}

export type ParsedLine =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: SlashCommand }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads what a person typed. A line that begins with `/` and one word is a command or an error, never a message. */
export function parseLine(text: string): ParsedLine {
  const match = /^\s*(\/[a-z-]+)(?:\s+(\S.*?))?\s*$/s.exec(text);
  if (match === null) return { kind: 'message', text };
  const [, name, argument] = match;
  const known = SLASH_COMMANDS.find((command) => command.name === name);
  if (known === undefined) {
    return { kind: 'invalid', reason: `There is no command ${name}. Type /help to see the commands.` };
  }
  if (argument === undefined) return { kind: 'command', command: { name: known.name, turn: null } };
  if (known.argument === '') return { kind: 'invalid', reason: `${known.name} takes no argument.` };
  if (argument === 'last') return { kind: 'command', command: { name: known.name, turn: 'last' } };
  const turn = Number(argument);
  if (!/^\d+$/.test(argument) || turn < 1 || !Number.isSafeInteger(turn)) {
    return { kind: 'invalid', reason: `${known.name} takes a turn number or "last", not "${argument}".` };
  }
  return { kind: 'command', command: { name: known.name, turn } };
}
