/**
 * An external agent over the Agent Client Protocol. The protocol gives no pre-images and most agents write by themselves, so its
 * whole turn is an opaque step: looked at before, at each question (nothing is written while it waits), after each finished call, and
 * at the end.
 */

import { toErrorInfo } from '../../../shared/errors.ts';
import type { Agent, AgentOutcome, AgentPorts, AgentTurn, PriorMessage } from '../ports.ts';
import { AcpConnection } from './acp-connection.ts';
import { AcpTurn } from './acp-turn.ts';
import type { StartAgent } from './agent-process.ts';
import { digestOf, withHistory, withNewNotes } from './chat-so-far.ts';
import { type Quirks, quirksOf } from './quirks.ts';

export interface AcpAgentOptions {
  readonly id: string;
  readonly name: string;
  readonly command: readonly string[];
  /** Real, absolute path of the folder. */
  readonly root: string;
  readonly start: StartAgent;
}

export function createAcpAgent(options: AcpAgentOptions): Agent {
  return new AcpAgent(options);
}

class AcpAgent implements Agent {
  readonly id: string;
  readonly name: string;
  readonly guarantee = 'opaque';
  readonly #options: AcpAgentOptions;
  readonly #quirks: Quirks;
  #connection: AcpConnection | null = null;
  /** Digest of what the agent's own session has heard and said; null before its first turn. */
  #heard: string | null = null;

  constructor(options: AcpAgentOptions) {
    this.id = options.id;
    this.name = options.name;
    this.#options = options;
    this.#quirks = quirksOf(options.command);
  }

  async runTurn(turn: AgentTurn, ports: AgentPorts): Promise<AgentOutcome> {
    try {
      // A chat that was rewound, or that another agent took part in, is not the one that the agent's session knows.
      const isContinuation = this.#heard === digestOf(turn.history) && this.#connection?.isOpen === true;
      if (!isContinuation) await this.close();
      this.#connection ??= await this.#open(ports);
      const acpTurn = new AcpTurn(this.#connection, this.#options.root, this.#quirks, this.name, turn, ports);
      try {
        return await acpTurn.run(isContinuation ? withNewNotes(turn) : withHistory(turn));
      } finally {
        const said: PriorMessage[] = [
          { role: 'user', text: turn.prompt },
          { role: 'assistant', text: acpTurn.said },
        ];
        this.#heard = digestOf([...turn.history, ...said]);
      }
    } catch (error) {
      if (turn.signal.aborted) return { status: 'stopped' };
      return { status: 'failed', error: toErrorInfo(error) };
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#heard = null;
    await connection?.close();
  }

  async #open(ports: AgentPorts): Promise<AcpConnection> {
    await this.#warnOfGateFiles(ports);
    const { command, root, start } = this.#options;
    const process = await start(command, this.#quirks.environment);
    return AcpConnection.open(process, this.#quirks, root, this.name);
  }

  async #warnOfGateFiles(ports: AgentPorts): Promise<void> {
    for (const file of this.#quirks.gateFiles) {
      const isThere = await ports.readText(file).then(
        () => true,
        () => false,
      );
      if (isThere)
        ports.notice(
          'warning',
          `${file} in this folder can switch off the questions of ${this.name}. Look at it before you go on.`,
        );
    }
  }
}
