/** The agent that is a model with our tools: every write it makes passes the funnel. */

import { AppError, type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { Provider } from '../../../shared/settings.ts';
import type { Agent, AgentOutcome, AgentPorts, AgentTurn } from '../ports.ts';
import { estimateTokens, isNearlyFull, shortenOldResults, summariseOld } from './compaction.ts';
import {
  type ModelClient,
  ModelError,
  type ModelMessage,
  type ModelStep,
  type ModelToolCall,
} from './model-client.ts';
import { toModelMessages } from './prior-messages.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import { systemPrompt } from './system-prompt.ts';

export interface ModelAgentOptions {
  readonly provider: Provider;
  readonly client: ModelClient;
  /** Requests in one turn before the person is asked whether to go on. */
  readonly stepLimit: number;
  readonly sleep?: RetryOptions['sleep'];
  /** Something the person should know once, e.g. that the server's context is small; null when all is well. */
  readonly warning?: () => Promise<string | null>;
}

export function createModelAgent(options: ModelAgentOptions): Agent {
  let hasWarned = false;
  return {
    id: options.provider.id,
    name: options.provider.name,
    guarantee: 'every-write',
    rereadsBeforeWriting: true,
    async runTurn(turn, ports) {
      if (!hasWarned) {
        hasWarned = true;
        const warning = (await options.warning?.()) ?? null;
        if (warning !== null) ports.notice('warning', warning);
      }
      return new ModelTurn(options, turn, ports).run();
    },
  };
}

class ModelTurn {
  readonly #options: ModelAgentOptions;
  readonly #turn: AgentTurn;
  readonly #ports: AgentPorts;
  #messages: ModelMessage[];
  #usage = { inputTokens: 0, outputTokens: 0 };

  constructor(options: ModelAgentOptions, turn: AgentTurn, ports: AgentPorts) {
    this.#options = options;
    this.#turn = turn;
    this.#ports = ports;
    this.#messages = [...toModelMessages(turn.history), { role: 'user', text: turn.prompt }];
  }

  async run(): Promise<AgentOutcome> {
    try {
      const system = await systemPrompt((path) => this.#ports.readText(path));
      return await this.#loop(system);
    } catch (error) {
      if (this.#turn.signal.aborted) return { status: 'stopped' };
      return { status: 'failed', error: errorOf(error) };
    }
  }

  async #loop(system: string): Promise<AgentOutcome> {
    const { stepLimit } = this.#options;
    for (let steps = 1; ; steps += 1) {
      await this.#compactWhenNearlyFull();
      const step = await this.#step(system);
      this.#messages.push({
        role: 'assistant',
        text: step.text,
        toolCalls: step.toolCalls,
        original: step.original,
      });
      if (step.toolCalls.length === 0) return this.#end(step);
      for (const call of step.toolCalls) await this.#callTool(call);
      if (
        steps % stepLimit === 0 &&
        !(await this.#ports.askToContinue(`The agent has made ${steps} requests in this turn. Go on?`))
      ) {
        return { status: 'stopped' };
      }
    }
  }

  async #step(system: string): Promise<ModelStep> {
    /** What was said before the stream dropped: the person has read it, so it is gone on with and not said again. */
    let said = '';
    const ask = (): Promise<ModelStep> =>
      withRetries(
        () =>
          this.#options.client.step({
            system,
            messages: [...this.#messages, ...goingOnFrom(said)],
            withTools: true,
            signal: this.#turn.signal,
            onText: (delta) => {
              said += delta;
              this.#ports.say(delta);
            },
          }),
        {
          signal: this.#turn.signal,
          onRetry: (words) => this.#ports.notice('warning', words),
          ...(this.#options.sleep === undefined ? {} : { sleep: this.#options.sleep }),
        },
      );
    const step = await ask().catch(async (error: unknown) => {
      if (!(error instanceof ModelError) || error.kind !== 'context-too-long') throw error;
      await this.#compact();
      return ask();
    });
    this.#report(step);
    // What the provider answered last is only the rest, so it can't stand for the whole.
    return said === step.text ? step : { ...step, text: said, original: undefined };
  }

  /** One after another: a later call may build on what an earlier one wrote. */
  async #callTool(call: ModelToolCall): Promise<void> {
    this.#turn.signal.throwIfAborted();
    const result = await this.#ports.callTool(call.name, call.input, call.callId);
    // The tool's own refusal says which field is missing; only the reader's says that it was no JSON at all.
    const output =
      call.problem === undefined || result.ok ? result.output : `${call.problem}\n${result.output}`;
    const said = output === '' ? (result.error?.message ?? 'Done.') : output;
    this.#messages.push({ role: 'tool', callId: call.callId, name: call.name, output: said, ok: result.ok });
  }

  #end(step: ModelStep): AgentOutcome {
    if (step.reason === 'length') {
      this.#ports.notice(
        'warning',
        'The answer was cut at the model\'s output limit. Send "go on" to continue.',
      );
    }
    if (step.reason === 'filtered') {
      return {
        status: 'failed',
        error: { code: 'agent-failed', message: 'The provider withheld the answer by its content rules.' },
      };
    }
    return { status: 'done' };
  }

  async #compactWhenNearlyFull(): Promise<void> {
    const { contextWindow } = this.#options.provider;
    if (contextWindow === undefined || !isNearlyFull(estimateTokens(this.#messages), contextWindow)) return;
    this.#messages = shortenOldResults(this.#messages);
    if (isNearlyFull(estimateTokens(this.#messages), contextWindow)) await this.#compact();
  }

  async #compact(): Promise<void> {
    const shortened = shortenOldResults(this.#messages);
    this.#messages = await summariseOld(this.#options.client, shortened, this.#turn.signal);
    this.#ports.notice(
      'info',
      'The older part of this chat was condensed for the model. The chat itself is kept whole.',
    );
  }

  #report(step: ModelStep): void {
    if (step.usage === null) return;
    const { inputTokens, outputTokens } = step.usage;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + inputTokens,
      outputTokens: this.#usage.outputTokens + outputTokens,
    };
    this.#ports.usage({
      ...this.#usage,
      contextTokens: inputTokens + outputTokens,
      contextWindow: this.#options.provider.contextWindow ?? null,
      costUsd: costOf(this.#usage, this.#options.provider),
    });
  }
}

function goingOnFrom(said: string): ModelMessage[] {
  if (said.trim() === '') return [];
  return [
    { role: 'assistant', text: said, toolCalls: [] },
    {
      role: 'user',
      text: '[Note from the app: the connection dropped here. Go on exactly where your answer stopped, without repeating any of it.]',
    },
  ];
}

/** Prices change and differ by contract, so they are the person's own setting; without one no cost is claimed. */
function costOf(
  usage: { inputTokens: number; outputTokens: number },
  { pricePerMillionUsd }: Provider,
): number | null {
  if (pricePerMillionUsd === undefined) return null;
  return (
    (usage.inputTokens * pricePerMillionUsd.input + usage.outputTokens * pricePerMillionUsd.output) /
    1_000_000
  );
}

function errorOf(error: unknown): ErrorInfo {
  if (error instanceof AppError) return toErrorInfo(error);
  if (!(error instanceof ModelError)) return toErrorInfo(error);
  switch (error.kind) {
    case 'authentication':
      return { code: 'not-authenticated', message: `${error.message} Check the key in Settings.` };
    case 'context-too-long':
      return {
        code: 'agent-failed',
        message: `The chat is too long for this model, even condensed: ${error.message}`,
      };
    case 'retryable':
    case 'refused':
      return { code: 'agent-failed', message: error.message };
  }
}
