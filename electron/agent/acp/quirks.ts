/** What differs between external agents, each found by trying it: how its gates are closed, and what it must not be told. */

import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import type { AgentEnvironment } from './agent-process.ts';

export interface Quirks {
  /** Its modes in which it asks before it acts, best first. */
  readonly gatedModes: readonly string[];
  readonly environment: AgentEnvironment;
  /** Goes into `session/new`. */
  readonly sessionMeta: Readonly<Record<string, unknown>> | null;
  readonly capabilities: ClientCapabilities;
  /** It writes by itself and announces the write besides, with a relative path and late: the announcement must not write again. */
  readonly writesBesides: boolean;
  /** Files and folders of a project by which it can switch the questions off, or run programs when the agent starts. */
  readonly gateFiles: readonly string[];
}

const ORDINARY: Quirks = {
  gatedModes: ['default', 'ask', 'read-only'],
  // A program that is not known gets nobody's keys: it has its own way to log in.
  environment: { inherits: [], sets: {} },
  sessionMeta: null,
  capabilities: { fs: { readTextFile: true, writeTextFile: true } },
  writesBesides: false,
  gateFiles: [],
};

const BY_PROGRAM: readonly { readonly pattern: RegExp; readonly quirks: Partial<Quirks> }[] = [
  {
    pattern: /opencode/,
    quirks: {
      // Its modes are its agents; a project can bring one of its own that asks nobody.
      gatedModes: ['build'],
      // Set this way it wins over the project's own file.
      environment: {
        // It speaks to any provider.
        inherits: ['OPENCODE_', 'ANTHROPIC_', 'OPENAI_', 'GEMINI_', 'GOOGLE_', 'OPENROUTER_'],
        sets: {
          OPENCODE_CONFIG_CONTENT: JSON.stringify({
            default_agent: 'build',
            permission: { edit: 'ask', bash: 'ask' },
            agent: { build: { permission: { edit: 'ask', bash: 'ask' } } },
          }),
        },
      },
      writesBesides: true,
      gateFiles: ['opencode.json', 'opencode.jsonc', '.opencode'],
    },
  },
  {
    pattern: /gemini/,
    // An error answer to a read of a missing file makes every new file fail, so reading is its own.
    quirks: {
      environment: inherits('GEMINI_', 'GOOGLE_'),
      capabilities: { fs: { readTextFile: false, writeTextFile: true } },
      gateFiles: ['.gemini'],
    },
  },
  {
    pattern: /qwen/,
    quirks: {
      environment: inherits('QWEN_', 'DASHSCOPE_', 'OPENAI_'),
      gateFiles: ['.qwen'],
    },
  },
  {
    pattern: /claude/,
    // Settings of the project could allow everything.
    quirks: {
      environment: inherits('ANTHROPIC_', 'CLAUDE_'),
      sessionMeta: { claudeCode: { options: { settingSources: ['user'] } } },
      gateFiles: ['.claude', '.mcp.json'],
    },
  },
  {
    pattern: /codex/,
    quirks: {
      environment: inherits('OPENAI_', 'CODEX_'),
      gatedModes: ['read-only', 'ask', 'default'],
      gateFiles: ['.codex'],
    },
  },
  { pattern: /copilot/, quirks: { environment: inherits('COPILOT_', 'GH_TOKEN', 'GITHUB_TOKEN') } },
  { pattern: /cline/, quirks: { environment: inherits('CLINE_') } },
];

function inherits(...beginnings: readonly string[]): AgentEnvironment {
  return { inherits: beginnings, sets: {} };
}

/** Programs that start another one, which their arguments name. */
const STARTERS = /^(npx|npm|pnpm|yarn|bunx?|node|deno|env)(\.|$)/;

/**
 * By the name of the program, or of the package that npx is asked for. Not by a folder on the way to it or by an option's value:
 * the quirks decide which keys a program inherits.
 */
export function quirksOf(command: readonly string[]): Quirks {
  const [program = '', ...rest] = command.map((word) => word.toLowerCase().replace(/^.*[\\/]/, ''));
  const names = STARTERS.test(program) ? rest.filter((word) => !word.startsWith('-')) : [program];
  const found = BY_PROGRAM.find(({ pattern }) => names.some((name) => pattern.test(name)));
  return { ...ORDINARY, ...found?.quirks };
}
