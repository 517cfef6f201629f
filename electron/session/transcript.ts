/** Writes the conversation as it happens: every message is in the store before a window hears of it. */

import type { MessageId, TurnNumber } from '../../shared/ids.ts';
import type { ChatItem, ChatMessage, SessionEvent } from '../../shared/transcript.ts';
import type { CheckpointStore } from '../store/types.ts';

/** While text streams it is stored this often; what a crash could take is at most this much. */
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

  /** A message whose text grows. */
  stream<Item extends ChatItem>(
    turn: TurnNumber,
    first: Item,
    grow: (item: Item, delta: string) => Item,
    deltaType: 'text-delta' | 'output-delta',
  ): GrowingMessage {
    const { id } = this.append(turn, first);
    let item = first;
    let storedAtMs = performance.now();
    let isStored = true;
    return {
      id,
      add: (delta) => {
        item = grow(item, delta);
        isStored = false;
        this.#emit({ type: deltaType, id, delta });
        if (performance.now() - storedAtMs < STORE_EVERY_MS) return;
        storedAtMs = performance.now();
        isStored = true;
        this.#store.updateMessage(id, item);
      },
      end: () => {
        if (!isStored) this.update(id, item);
        isStored = true;
      },
    };
  }
}

export interface GrowingMessage {
  readonly id: MessageId;
  add(delta: string): void;
  /** Stores what is not stored yet. */
  end(): void;
}
