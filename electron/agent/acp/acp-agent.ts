/**
 * An external agent over the Agent Client Protocol. The protocol gives no pre-images and most agents write by themselves, so its
 * whole turn is an opaque step: looked at before, at each question (nothing is written while it waits), after each finished call, and
 * at the end.
 */

import { AppError, toErrorInfo } from '../../../shared/errors.ts';
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
    await this.#askAboutGateFiles(ports);
    const { command, root, start } = this.#options;
    const process = await start(command, this.#quirks.environment);
    return AcpConnection.open(process, this.#quirks, root, this.name);
  }

  /** Throws AppError `tool-denied` when the person does not want it started. */
  async #askAboutGateFiles(ports: AgentPorts): Promise<void> {
    const present: string[] = [];
    for (const path of this.#quirks.gateFiles) if (await isThere(path, ports)) present.push(path);
    if (present.length === 0) return;
    const files = present.join(' and ');
    const title = `Start ${this.name} in this folder, whose ${files} can switch off its questions or run programs`;
    const question = { callId: 'start', title };
    if ((await ports.approveForeign(question)) === 'deny') {
      throw new AppError(
        'tool-denied',
        `${this.name} was not started. Look at ${files} first, then send again.`,
      );
    }
    ports.showCall({ ...question, status: 'done' });
  }
}

/** What is there and can't be read as a text (a folder, a link) counts: the agent may read it in its own way. */
const isThere = (path: string, ports: AgentPorts): Promise<boolean> =>
  ports.readText(path).then(
    () => true,
    (error: unknown) => !(error instanceof AppError && error.code === 'path-not-found'),
  );
