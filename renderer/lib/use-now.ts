/** One clock for all relative times on the page: it ticks twice a minute, and only while something shows a time. */

import { useSyncExternalStore } from 'react';

const TICK_MS = 30_000;
let nowMs = Date.now();
let timer: number | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    nowMs = Date.now();
    for (const notify of listeners) notify();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      window.clearInterval(timer);
      timer = null;
    }
  };
}

export function useNow(): number {
  const ticked = useSyncExternalStore(subscribe, () => nowMs);
  // Something newer than the last tick would read as the future.
  return Math.max(ticked, Date.now() - TICK_MS);
}
