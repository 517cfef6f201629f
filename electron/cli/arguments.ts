/** Reads the words after the program's name; anything it can't read is a usage error (exit 2). */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { asPlanId, asTurnNumber, isTurnNumber, type PlanId, type TurnNumber } from '../../shared/ids.ts';
import type { ConflictPolicy } from '../../shared/rewind.ts';
import { type Provider, providerKinds, providerSchema } from '../../shared/settings.ts';
import type { PermissionMode } from '../../shared/transcript.ts';

export type TurnArgument = TurnNumber | 'last';

/** Which agent runs the turn, and what it takes to make it. */
export type AgentArgument =
  | { readonly kind: 'practice' }
  | { readonly kind: 'model'; readonly provider: Provider }
  | { readonly kind: 'acp'; readonly command: readonly string[] };

export type CliCommand =
  | {
      readonly name: 'chat';
      readonly agent: AgentArgument;
      readonly mode: PermissionMode;
      readonly message: string;
    }
  | { readonly name: 'turns'; readonly limit: number | undefined }
  | { readonly name: 'plan'; readonly turn: TurnArgument; readonly paths: readonly string[] | undefined }
  | {
      readonly name: 'rewind';
      readonly turn: TurnArgument;
      readonly paths: readonly string[] | undefined;
      readonly conflicts: ConflictPolicy;
      readonly planId: PlanId | undefined;
      readonly dryRun: boolean;
    }
  | { readonly name: 'redo' }
  | { readonly name: 'diff'; readonly turn: TurnArgument; readonly path: string | undefined }
  | { readonly name: 'verify' }
  | {
      readonly name: 'prune';
      readonly keepTurns: number | undefined;
      readonly maxBytes: number | undefined;
      readonly dryRun: boolean;
    }
  | { readonly name: 'stats' };

export type CommandName = CliCommand['name'];

export interface CliArguments {
  readonly folder: string;
  readonly json: boolean;
  readonly command: CliCommand;
}

const TEXT = { type: 'string' } as const;
const LIST = { type: 'string', multiple: true } as const;
const FLAG = { type: 'boolean' } as const;

/** Which options each command takes; an option of another command is an error, not ignored. */
const OPTIONS_OF = {
  chat: ['agent', 'mode', 'provider', 'model', 'base-url', 'command'],
  turns: ['limit'],
  plan: ['turn', 'path'],
  rewind: ['turn', 'path', 'conflicts', 'plan', 'dry-run'],
  redo: [],
  diff: ['turn', 'path'],
  verify: [],
  prune: ['keep-turns', 'max-bytes', 'dry-run'],
  stats: [],
} as const satisfies Record<CommandName, readonly string[]>;

export const isCommandName = (word: string): word is CommandName => Object.hasOwn(OPTIONS_OF, word);

export function readArguments(words: readonly string[], cwd: string): CliArguments {
  const { values, positionals } = parse(words);
  const [name, ...rest] = positionals;
  if (name === undefined) throw usage('A command is missing.');
  if (!isCommandName(name)) throw usage(`There is no command ${JSON.stringify(name)}.`);

  const allowed: readonly string[] = ['folder', 'json', ...OPTIONS_OF[name]];
  const stray = Object.keys(values).find((option) => !allowed.includes(option));
  if (stray !== undefined) throw usage(`${name} takes no --${stray}.`);
  if (name !== 'chat' && rest.length > 0) throw usage(`${name} takes no ${JSON.stringify(rest[0])}.`);

  const turn = (): TurnArgument => turnOf(values.turn, name);
  const command = (): CliCommand => {
    switch (name) {
      case 'chat':
        if (rest.length === 0) throw usage('chat needs a message, or - to read it from standard input.');
        return {
          name,
          agent: agentOf(values),
          mode: modeOf(values.mode),
          message: rest.join(' '),
        };
      case 'turns':
        return { name, limit: countOf(values.limit, '--limit', 1) };
      case 'plan':
        return { name, turn: turn(), paths: values.path };
      case 'rewind':
        return {
          name,
          turn: turn(),
          paths: values.path,
          conflicts: conflictsOf(values.conflicts),
          planId: planOf(values.plan),
          dryRun: values['dry-run'] === true,
        };
      case 'diff':
        if (values.path !== undefined && values.path.length > 1) throw usage('diff takes one --path.');
        return { name, turn: turn(), path: values.path?.[0] };
      case 'prune': {
        const keepTurns = countOf(values['keep-turns'], '--keep-turns', 0);
        const maxBytes = countOf(values['max-bytes'], '--max-bytes', 0);
        if (keepTurns === undefined && maxBytes === undefined)
          throw usage('prune needs --keep-turns N, --max-bytes B, or both.');
        return { name, keepTurns, maxBytes, dryRun: values['dry-run'] === true };
      }
      case 'redo':
      case 'verify':
      case 'stats':
        return { name };
    }
  };
  return { folder: resolve(cwd, values.folder ?? '.'), json: values.json === true, command: command() };
}

/** Whether one JSON document is asked for; also when the rest can't be read. */
export const wantsJson = (words: readonly string[]): boolean => words.includes('--json');

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        folder: TEXT,
        json: FLAG,
        agent: TEXT,
        mode: TEXT,
        provider: TEXT,
        model: TEXT,
        'base-url': TEXT,
        command: TEXT,
        limit: TEXT,
        turn: TEXT,
        path: LIST,
        conflicts: TEXT,
        plan: TEXT,
        'dry-run': FLAG,
        'keep-turns': TEXT,
        'max-bytes': TEXT,
      },
    });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

export const usage = (message: string): AppError => new AppError('usage', message);

function turnOf(text: string | undefined, command: string): TurnArgument {
  if (text === undefined) throw usage(`${command} needs --turn N, or --turn last.`);
  if (text === 'last') return text;
  const turn = /^\d+$/.test(text) ? Number(text) : 0;
  if (!isTurnNumber(turn)) throw usage(`--turn takes a turn number or "last", not ${JSON.stringify(text)}.`);
  return asTurnNumber(turn);
}

function countOf(text: string | undefined, option: string, least: number): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < least) {
    throw usage(`${option} takes a whole number from ${least}, not ${JSON.stringify(text)}.`);
  }
  return count;
}

/** `--agent model --provider openai --model NAME [--base-url URL]`, `--agent acp --command "PROGRAM ARGUMENT..."`. */
function agentOf(values: ReturnType<typeof parse>['values']): AgentArgument {
  const { agent = 'practice', provider: kind, model, command } = values;
  const stray = (options: readonly (keyof typeof values)[]): void => {
    const given = options.find((option) => values[option] !== undefined);
    if (given !== undefined) throw usage(`--agent ${agent} takes no --${given}.`);
  };
  switch (agent) {
    case 'practice':
      stray(['provider', 'model', 'base-url', 'command']);
      return { kind: agent };
    case 'model': {
      stray(['command']);
      const provider = providerSchema.safeParse({
        id: agent,
        kind,
        name: model,
        model,
        baseUrl: values['base-url'],
      });
      if (provider.success) return { kind: agent, provider: provider.data };
      throw usage(
        `--agent model needs --provider (${providerKinds.join(', ')}), --model NAME, and for openai-compatible --base-url URL.`,
      );
    }
    case 'acp': {
      stray(['provider', 'model', 'base-url']);
      // Words at spaces, and no shell: a program with spaces in its name is set up in the window.
      const words = (command ?? '').split(/\s+/).filter((word) => word !== '');
      if (words.length === 0) throw usage('--agent acp needs --command "PROGRAM ARGUMENT...".');
      return { kind: agent, command: words };
    }
    default:
      throw usage(`--agent takes practice, model or acp, not ${JSON.stringify(agent)}.`);
  }
}

function modeOf(text: string | undefined): PermissionMode {
  if (text === undefined) return 'full';
  if (text === 'full' || text === 'ask' || text === 'read-only') return text;
  throw usage(`--mode takes full, ask or read-only, not ${JSON.stringify(text)}.`);
}

function conflictsOf(text: string | undefined): ConflictPolicy {
  if (text === undefined) return 'overwrite';
  if (text === 'overwrite' || text === 'keep' || text === 'abort') return text;
  throw usage(`--conflicts takes overwrite, keep or abort, not ${JSON.stringify(text)}.`);
}

function planOf(text: string | undefined): PlanId | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}$/.test(text)) return asPlanId(text);
  throw usage('--plan takes the planId that the plan command printed.');
}
