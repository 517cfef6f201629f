/** The turns of a session, one at a time: sending, stopping, and what outlives a turn (its agents, what was allowed and read). */

import { AppError } from '../../shared/errors.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { parseLine } from '../../shared/slash-commands.ts';
import type {
  ApprovalChoice,
  ApprovalRequest,
  PermissionMode,
  UsageSummary,
} from '../../shared/transcript.ts';
import type { Agent } from '../agent/index.ts';
import { Approvals } from './approvals.ts';
import type { Events } from './events.ts';
import type { FolderParts } from './folder-parts.ts';
import { SeenFiles } from './seen-files.ts';
import { runTurn } from './turn.ts';
import type { OpenSessionOptions, SendOptions, TurnResult } from './types.ts';

interface RunningTurn {
  turn: TurnNumber | null;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export class Turns {
  readonly #agentOf: OpenSessionOptions['agentOf'];
  readonly #events: Events;
  readonly #approvals: Approvals;
  readonly #agents = new Set<Agent>();
  readonly #seen = new Map<string, SeenFiles>();
  #running: RunningTurn | null = null;
  #mode: PermissionMode;
  #usage: UsageSummary | null = null;

  constructor({ agentOf, settings }: OpenSessionOptions, events: Events) {
    this.#agentOf = agentOf;
    this.#events = events;
    this.#mode = settings.permissionMode;
    this.#approvals = new Approvals((event) => events.emit(event));
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** For a window that opens now. */
  snapshot(): {
    running: TurnNumber | null;
    approvals: ApprovalRequest[];
    mode: PermissionMode;
    usage: UsageSummary | null;
  } {
    return {
      running: this.#running?.turn ?? null,
      approvals: this.#approvals.list(),
      mode: this.#mode,
      usage: this.#usage,
    };
  }

  /** Throws AppError `usage` for what is not for an agent, and `agent-unavailable`. `alone` runs nothing else beside it. */
  async send(
    text: string,
    options: SendOptions,
    started: (turn: TurnNumber) => void,
    alone: (turn: (parts: FolderParts) => Promise<TurnResult>) => Promise<TurnResult>,
  ): Promise<TurnResult> {
    const line = parseLine(text);
    if (line.kind !== 'message') {
      const reason = line.kind === 'invalid' ? line.reason : `${line.command.name} is not for the agent.`;
      throw new AppError('usage', reason);
    }
    const agent = this.#agentOf(options.agentId);
    this.#agents.add(agent);
    this.#mode = options.mode;

    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running: RunningTurn = { turn: null, stop: new AbortController(), ended };
    this.#running = running;
    try {
      return await alone((parts) => this.#run(text, agent, running, started, parts));
    } finally {
      if (this.#running === running) this.#running = null;
      end();
    }
  }

  #run(
    prompt: string,
    agent: Agent,
    running: RunningTurn,
    started: (turn: TurnNumber) => void,
    parts: FolderParts,
  ): Promise<TurnResult> {
    return runTurn(
      {
        prompt,
        agent,
        mode: this.#mode,
        signal: running.stop.signal,
        started: (turn) => {
          running.turn = turn;
          started(turn);
        },
      },
      {
        parts,
        approvals: this.#approvals,
        seen: this.#seenBy(agent),
        emit: (event) => {
          // Whoever hears that the turn has ended may go back or send at once.
          if (event.type === 'turn-ended') this.#running = null;
          this.#events.emit(event);
        },
        usage: (usage) => {
          this.#usage = usage;
          this.#events.emit({ type: 'usage', usage });
        },
      },
    );
  }

  /** Resolves when the turn has ended and everything it wrote is captured. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    running.stop.abort();
    await running.ended;
  }

  answerApproval(approvalId: string, choice: ApprovalChoice): void {
    this.#approvals.answer(approvalId, choice);
  }

  /** What was allowed and what was read belonged to the part of the chat that is left. */
  leaveChat(): void {
    this.#approvals.forgetAllowed();
    this.#seen.clear();
  }

  /** A chat that has nothing of the one before. */
  begin(): void {
    this.leaveChat();
    this.#usage = null;
  }

  async closeAgents(): Promise<void> {
    await Promise.allSettled([...this.#agents].map((agent) => agent.close?.()));
  }

  #seenBy(agent: Agent): SeenFiles | null {
    if (agent.rereadsBeforeWriting !== true) return null;
    const seen = this.#seen.get(agent.id) ?? new SeenFiles();
    this.#seen.set(agent.id, seen);
    return seen;
  }
}
