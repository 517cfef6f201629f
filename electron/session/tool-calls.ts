/** The tool calls of one turn as the conversation shows them: by id, from asked to done. */

import type { ErrorInfo } from '../../shared/errors.ts';
import type { MessageId, TurnNumber } from '../../shared/ids.ts';
import type { ChatItem, ToolStatus } from '../../shared/transcript.ts';
import type { Transcript } from './transcript.ts';
import type { ToolCallSummary } from './types.ts';

type ToolItem = Extract<ChatItem, { type: 'tool' }>;

/** Longest text of an input that is kept in the conversation: the content of a large file is in the history already. */
const LONGEST_INPUT_TEXT = 20_000;

export interface ToolCallChange {
  readonly title?: string;
  readonly status?: ToolStatus;
  readonly output?: string;
  readonly error?: ErrorInfo;
}

export class ToolCalls {
  readonly #transcript: Transcript;
  readonly #turn: TurnNumber;
  /** In the order of the first sight of each id. */
  readonly #calls = new Map<string, { readonly id: MessageId; item: ToolItem }>();
  #count = 0;

  constructor(transcript: Transcript, turn: TurnNumber) {
    this.#transcript = transcript;
    this.#turn = turn;
  }

  /** An id for a call whose agent gave none, or gave one twice. */
  freshId(wanted: string | undefined): string {
    if (wanted !== undefined && !this.#calls.has(wanted)) return wanted;
    this.#count += 1;
    return `${this.#turn}-${this.#count}`;
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  add(call: Pick<ToolItem, 'callId' | 'tool' | 'title' | 'input' | 'status'>): void {
    const item: ToolItem = { type: 'tool', ...call, input: shortened(call.input) };
    this.#calls.set(call.callId, { id: this.#transcript.append(this.#turn, item).id, item });
  }

  change(callId: string, change: ToolCallChange): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    call.item = { ...call.item, ...change };
    this.#transcript.update(call.id, call.item);
  }

  addOutput(callId: string, delta: string): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) this.#transcript.showOutput(call.id, delta);
  }

  cancelOpen(): void {
    for (const [callId, { item }] of this.#calls) {
      if (isOpen(item.status)) this.change(callId, { status: 'cancelled' });
    }
  }

  summaries(): ToolCallSummary[] {
    return [...this.#calls.values()].map(({ item }) => ({
      tool: item.tool,
      ok: item.status === 'done',
      ...(item.error === undefined ? {} : { error: item.error }),
      ...(item.output === undefined ? {} : { output: item.output }),
    }));
  }
}

export const isOpen = (status: ToolStatus): boolean =>
  status === 'pending' || status === 'awaiting-approval' || status === 'running';

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const rest = value.length - LONGEST_INPUT_TEXT;
    return rest > 0 ? `${value.slice(0, LONGEST_INPUT_TEXT)}… (${rest} more characters)` : value;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
  }
  return value;
}
