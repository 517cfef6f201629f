/** Writes the conversation as it happens: every message is in the store before a window hears of it. */

import type { MessageId, TurnNumber } from '../../shared/ids.ts';
import type { ChatItem, ChatMessage, SessionEvent } from '../../shared/transcript.ts';
import type { CheckpointStore } from '../store/types.ts';

/** While text streams it is stored this often; a crash takes at most this much of it. */
const STORE_EVERY_MS = 500;

export class Transcript {
  readonly #store: CheckpointStore;
  readonly #emit: (event: SessionEvent) => void;

  constructor(store: CheckpointStore, emit: (event: SessionEvent) => void) {
    this.#store = store;
    this.#emit = emit;
  }

  append(turn: TurnNumber | null, item: ChatItem): ChatMessage {
    const message = this.#store.appendMessage(turn, item);
    this.#emit({ type: 'message-added', message });
    return message;
  }

  update(id: MessageId, item: ChatItem): void {
    this.#emit({ type: 'message-updated', message: this.#store.updateMessage(id, item) });
  }

  /** Output of a running call: shown as it comes, stored with the call's result. */
  showOutput(id: MessageId, delta: string): void {
    this.#emit({ type: 'output-delta', id, delta });
  }

  /** Text of the agent that grows as it streams. */
  stream(turn: TurnNumber, firstText: string): GrowingText {
    const { id } = this.append(turn, { type: 'assistant', text: firstText });
    let text = firstText;
    let storedText = firstText;
    let storedAtMs = performance.now();
    return {
      add: (delta) => {
        text += delta;
        this.#emit({ type: 'text-delta', id, delta });
        if (performance.now() - storedAtMs < STORE_EVERY_MS) return;
        this.#store.updateMessage(id, { type: 'assistant', text });
        storedAtMs = performance.now();
        storedText = text;
      },
      end: () => {
        if (storedText !== text) this.update(id, { type: 'assistant', text });
        return text;
      },
    };
  }
}

export interface GrowingText {
  add(delta: string): void;
  /** Stores what is not stored yet; gives the whole text. */
  end(): string;
}
