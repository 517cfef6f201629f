/** Asks again after failures that pass: with growing waits, as long as the server asks for, and never longer than Stop allows. */

import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from './model-client.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const MOST_TRIES = 5;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Told before each wait, in words for the person. */
  readonly onRetry: (words: string) => void;
  /** Replaced in tests. Rejects with the abort reason. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const sleep = options.sleep ?? ((delayMs, signal) => wait(delayMs, undefined, { signal }));
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof ModelError) || error.kind !== 'retryable' || tries === MOST_TRIES) throw error;
      const backOffMs = FIRST_WAIT_MS * 2 ** (tries - 1);
      const delayMs = Math.min(Math.max(error.retryAfterMs ?? backOffMs, FIRST_WAIT_MS), LONGEST_WAIT_MS);
      options.onRetry(
        `${error.message} Asking again in ${Math.round(delayMs / 1000)} s (try ${tries + 1} of ${MOST_TRIES}).`,
      );
      await sleep(delayMs, options.signal);
    }
  }
}
