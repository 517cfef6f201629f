/** Long work of a session: what runs, how far it is, and how it is stopped. */

import type { Progress, SessionEvent } from '../../shared/transcript.ts';

/** A bar needs no more than this; the events would only cost time. */
const SHORTEST_STEP_MS = 100;

export type ReportProgress = (done: number, total: number | null) => void;

export class ProgressBoard {
  readonly #emit: (event: SessionEvent) => void;
  readonly #running = new Map<string, { progress: Progress; stop: AbortController }>();
  #count = 0;

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit;
  }

  /** Shows the task as long as it runs. `signal` is aborted by the person's stop, and by `outer`. */
  async run<T>(
    name: string,
    options: { stoppable: boolean; outer?: AbortSignal },
    task: (report: ReportProgress, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#count += 1;
    const id = `progress-${this.#count}`;
    const stop = new AbortController();
    const signal = options.outer === undefined ? stop.signal : AbortSignal.any([stop.signal, options.outer]);
    const show = (progress: Progress): void => {
      this.#running.set(id, { progress, stop });
      this.#emit({ type: 'progress', progress });
    };
    const begun: Progress = { id, name, done: 0, total: null, finished: false, stoppable: options.stoppable };
    let shownAtMs = performance.now();
    show(begun);
    try {
      return await task((done, total) => {
        const nowMs = performance.now();
        if (nowMs - shownAtMs < SHORTEST_STEP_MS) return;
        shownAtMs = nowMs;
        show({ ...begun, done, total });
      }, signal);
    } finally {
      const last = this.#running.get(id)?.progress ?? begun;
      this.#running.delete(id);
      this.#emit({ type: 'progress', progress: { ...last, finished: true } });
    }
  }

  list(): Progress[] {
    return [...this.#running.values()].map(({ progress }) => progress);
  }

  stop(id: string): void {
    const running = this.#running.get(id);
    if (running?.progress.stoppable === true) running.stop.abort();
  }
}
