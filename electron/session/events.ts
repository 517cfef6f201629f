/** Tells everybody who listens what happens in a session. */

import type { SessionEvent } from '../../shared/transcript.ts';

export class Events {
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: SessionEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
