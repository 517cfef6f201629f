/** What the client needs of an external agent's process; the app starts real ones, tests join one in the same process. */

import type { AgentApp, Stream } from '@agentclientprotocol/sdk';

export interface AgentProcess {
  /** An in-process agent in tests. */
  readonly connection: Stream | AgentApp;
  /** Resolves when the process has ended, with what it last wrote to standard error. */
  readonly exited: Promise<string>;
  /** Ends the process and everything it started. */
  kill(): Promise<void>;
}

export interface AgentEnvironment {
  /** Beginnings of the names of variables that it may inherit besides the ordinary ones: its own keys and settings. */
  readonly inherits: readonly string[];
  readonly sets: Readonly<Record<string, string>>;
}

/** Throws AppError `agent-unavailable` when the program can't be started. */
export type StartAgent = (command: readonly string[], environment: AgentEnvironment) => Promise<AgentProcess>;
