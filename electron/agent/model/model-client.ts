/** Our own small interface to a language model: messages in, events and one finished step out. */

export interface ModelToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** Set when the model's call could not be read, e.g. its arguments were not JSON; the reason is for the model. */
  readonly problem?: string;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** What the provider answered, handed back to it unchanged (signatures of reasoning are in it). */
      readonly original?: unknown;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly output: string;
      readonly ok: boolean;
    };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** False for a request that must answer in text, e.g. a summary. */
  readonly withTools: boolean;
  readonly signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  readonly onText: (delta: string) => void;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelStep {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** `length`: the answer was cut at the model's output limit. */
  readonly reason: 'stop' | 'tool-calls' | 'length' | 'filtered' | 'other';
  readonly usage: ModelUsage | null;
  readonly original: unknown;
}

/** What can go wrong with a request, by what to do about it. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: 'authentication' | 'retryable' | 'context-too-long' | 'refused';
  /** How long the server asked to wait, in ms. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ModelError['kind'],
    message: string,
    options: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface ModelClient {
  /** One request, streamed. Throws ModelError, or the abort reason once the signal is aborted. */
  step(request: ModelRequest): Promise<ModelStep>;
}
