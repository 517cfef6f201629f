/** One prompt to an external agent: its updates, questions and file requests become calls of our ports, one after another. */

import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { AppError } from '../../../shared/errors.ts';
import type { AgentOutcome, AgentPorts, AgentTurn } from '../ports.ts';
import { type AcpConnection, type TurnListener, toAppError } from './acp-connection.ts';
import { relativeToFolder } from './folder-paths.ts';
import { ForeignCalls } from './foreign-calls.ts';
import { permissionAnswer } from './permission.ts';
import type { Quirks } from './quirks.ts';

/** Cancel came back within 330 ms from every agent that was tried; one that takes this long is ended. */
const CANCEL_PATIENCE_MS = 5000;

export class AcpTurn implements TurnListener {
  readonly #connection: AcpConnection;
  readonly #root: string;
  readonly #quirks: Quirks;
  readonly #name: string;
  readonly #turn: AgentTurn;
  readonly #ports: AgentPorts;
  readonly #calls = new ForeignCalls();
  /** Paths whose write the person has just allowed, so that the announced write does not ask again. */
  readonly #allowedPaths = new Set<string>();
  /** All text of the agent in this turn. */
  said = '';
  /** Handlers run at the same time; what they do to the conversation and the folder goes one after another. */
  #queue: Promise<void> = Promise.resolve();

  constructor(
    connection: AcpConnection,
    root: string,
    quirks: Quirks,
    name: string,
    turn: AgentTurn,
    ports: AgentPorts,
  ) {
    this.#connection = connection;
    this.#root = root;
    this.#quirks = quirks;
    this.#name = name;
    this.#turn = turn;
    this.#ports = ports;
  }

  async run(prompt: string): Promise<AgentOutcome> {
    this.#turn.signal.throwIfAborted();
    this.#connection.listen(this);
    try {
      const stopReason = await this.#promptUntilStopped(prompt);
      await this.#queue;
      return this.#outcomeOf(stopReason);
    } catch (error) {
      if (this.#turn.signal.aborted) return { status: 'stopped' };
      if (this.#connection.isOpen) throw toAppError(error, this.#name);
      const lastWords = await this.#connection.lastWords();
      throw new AppError(
        'agent-failed',
        `${this.#name} ended in the middle of the turn; send again to restart it.${lastWords === '' ? '' : ` It said: ${lastWords}`}`,
        {
          cause: error,
        },
      );
    } finally {
      this.#connection.listen(null);
      for (const call of this.#calls.cancelOpen()) this.#ports.showCall(call);
    }
  }

  async #promptUntilStopped(prompt: string): Promise<string> {
    const answer = this.#connection.prompt(prompt);
    const { signal } = this.#turn;
    let onAbort = (): void => undefined;
    const stopped = new Promise<string>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      onAbort = () => {
        void this.#connection.cancel().catch(() => undefined);
        timer = setTimeout(() => {
          void this.#connection.close().finally(() => resolve('cancelled'));
        }, CANCEL_PATIENCE_MS);
        answer.finally(() => clearTimeout(timer)).catch(() => undefined);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    try {
      return await Promise.race([answer, stopped]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      answer.catch(() => undefined);
    }
  }

  #outcomeOf(stopReason: string): AgentOutcome {
    if (this.#turn.signal.aborted || stopReason === 'cancelled') return { status: 'stopped' };
    switch (stopReason) {
      case 'end_turn':
        return { status: 'done' };
      case 'refusal':
        return {
          status: 'failed',
          error: { code: 'agent-failed', message: `${this.#name} refused this request.` },
        };
      default:
        this.#ports.notice(
          'warning',
          `${this.#name} stopped at a limit of its own (${stopReason}). Send "go on" to continue.`,
        );
        return { status: 'done' };
    }
  }

  updated(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') {
          this.said += update.content.text;
          this.#ports.say(update.content.text);
        }
        break;
      case 'tool_call':
      case 'tool_call_update': {
        const call = this.#calls.merge(update);
        this.#ports.showCall(call);
        if (call.status === 'done' || call.status === 'failed') this.#observeSoon();
        break;
      }
      case 'plan':
        this.#ports.showCall({
          callId: 'plan',
          title: 'Plan',
          status: update.entries.every(({ status }) => status === 'completed') ? 'done' : 'running',
          output: update.entries.map(({ status, content }) => `${MARK[status]} ${content}`).join('\n'),
        });
        break;
      case 'current_mode_update':
        if (this.#connection.mode !== null && update.currentModeId !== this.#connection.mode) {
          this.#ports.notice(
            'warning',
            `${this.#name} changed its mode to "${update.currentModeId}" by itself; it may no longer ask before it acts.`,
          );
        }
        break;
      case 'usage_update':
        this.#ports.usage({
          inputTokens: 0,
          outputTokens: 0,
          contextTokens: update.used,
          contextWindow: update.size,
          costUsd: costInUsd(update.cost),
        });
        break;
      default:
        break;
    }
  }

  /** A look that fails is made good by the one at the end of the turn. */
  #observeSoon(): void {
    this.#enqueue(() => this.#ports.observe()).catch(() => undefined);
  }

  async askedPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    this.#ports.showCall(this.#calls.merge(request.toolCall));
    const approval = this.#calls.approvalOf(request.toolCall.toolCallId);
    const decision = await this.#enqueue(() => this.#ports.approveForeign(approval));
    if (this.#turn.signal.aborted) return { outcome: { outcome: 'cancelled' } };
    if (decision === 'allow' && approval.path !== undefined)
      this.#allowedPaths.add(relativeToFolder(this.#root, approval.path));
    return permissionAnswer(request.options, decision);
  }

  async askedToWrite({ path, content }: { path: string; content: string }): Promise<void> {
    if (this.#quirks.writesBesides) return;
    const relative = relativeToFolder(this.#root, path);
    await this.#enqueue(async () => {
      const result = await this.#ports.writeText(relative, content, this.#allowedPaths.delete(relative));
      if (!result.ok) throw new Error(result.error?.message ?? result.output);
    });
  }

  async askedToRead({
    path,
    line,
    limit,
  }: {
    path: string;
    line?: number | null;
    limit?: number | null;
  }): Promise<string> {
    const text = await this.#ports.readText(relativeToFolder(this.#root, path));
    if (line == null && limit == null) return text;
    const lines = text.split(/(?<=\n)/);
    const first = (line ?? 1) - 1;
    return lines.slice(first, limit == null ? undefined : first + limit).join('');
  }

  /** A failed task is its caller's to handle and must not stop the ones behind it. */
  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}

const MARK = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

const costInUsd = (cost: { amount: number; currency: string } | null | undefined): number | null =>
  cost?.currency === 'USD' ? cost.amount : null;
