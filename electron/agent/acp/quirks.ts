/** What differs between external agents, each found by trying it: how its gates are closed, and what it must not be told. */

import type { ClientCapabilities } from '@agentclientprotocol/sdk';

export interface Quirks {
  /** Its modes in which it asks before it acts, best first. */
  readonly gatedModes: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Goes into `session/new`. */
  readonly sessionMeta: Readonly<Record<string, unknown>> | null;
  readonly capabilities: ClientCapabilities;
  /** It writes by itself and announces the write besides, with a relative path and late: the announcement must not write again. */
  readonly writesBesides: boolean;
  /** Files of the folder that can switch its questions off. */
  readonly gateFiles: readonly string[];
}

const ORDINARY: Quirks = {
  gatedModes: ['default', 'ask', 'read-only'],
  environment: {},
  sessionMeta: null,
  capabilities: { fs: { readTextFile: true, writeTextFile: true } },
  writesBesides: false,
  gateFiles: [],
};

const BY_PROGRAM: readonly { readonly pattern: RegExp; readonly quirks: Partial<Quirks> }[] = [
  {
    pattern: /opencode/,
    quirks: {
      // Set this way it wins over the project's own file.
      environment: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          permission: { edit: 'ask', bash: 'ask' },
          agent: { build: { permission: { edit: 'ask', bash: 'ask' } } },
        }),
      },
      writesBesides: true,
      gateFiles: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
    },
  },
  {
    pattern: /gemini/,
    // An error answer to a read of a missing file makes every new file fail, so reading is its own.
    quirks: {
      capabilities: { fs: { readTextFile: false, writeTextFile: true } },
      gateFiles: ['.gemini/settings.json'],
    },
  },
  { pattern: /qwen/, quirks: { gateFiles: ['.qwen/settings.json'] } },
  {
    pattern: /claude/,
    // Settings of the project could allow everything.
    quirks: {
      sessionMeta: { claudeCode: { options: { settingSources: ['user'] } } },
      gateFiles: ['.claude/settings.json', '.claude/settings.local.json'],
    },
  },
  { pattern: /codex/, quirks: { gatedModes: ['read-only', 'ask', 'default'] } },
];

/** By the words of the command: the program, or the package that npx is asked for. */
export function quirksOf(command: readonly string[]): Quirks {
  const words = command.join(' ').toLowerCase();
  const found = BY_PROGRAM.find(({ pattern }) => pattern.test(words));
  return { ...ORDINARY, ...found?.quirks };
}
