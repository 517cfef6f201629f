/** Scans one folder, in threads that remember what they saw until the scanner forgets it. */

import { AppError } from '../../../shared/errors.ts';
import type { NotCovered } from '../../../shared/history.ts';
import { toIoError } from '../../base/io-errors.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import type { Found } from './look.ts';
import type { KnownRow, ScanReply } from './messages.ts';
import { ScanThread } from './scan-thread.ts';

/** So that telling the thread what is known blocks nobody. */
const ROWS_AT_ONCE = 1000;

const thread = new ScanThread();

export interface ScanWatch {
  readonly signal: AbortSignal;
  /** Files over the limit are hashed when they changed. */
  readonly tellLarge: boolean;
  /** Leaves half of the time to others, until `hurry` is called. */
  readonly gently: boolean;
  /** Called while the scan goes on. */
  readonly found: (found: readonly Found[]) => void;
  readonly progress: (done: number, total: number) => void;
}

export interface Scanned {
  readonly notCovered: readonly NotCovered[];
  /** How many paths are covered. */
  readonly paths: number;
}

interface RunningScan {
  readonly watch: ScanWatch;
  readonly resolve: (scanned: Scanned) => void;
  readonly reject: (error: unknown) => void;
}

export class Scanner {
  readonly #options: FolderScanOptions;
  readonly #known: () => Iterable<KnownRow>;
  #folder: number | null = null;
  #running: RunningScan | null = null;

  /** `known` is asked for what was remembered, whenever the thread begins anew. */
  constructor(options: FolderScanOptions, known: () => Iterable<KnownRow>) {
    this.#options = options;
    this.#known = known;
  }

  /**
   * One scan at a time. Throws AppError `cancelled`, `folder-not-found`, `disk-full`, `io-failed`. Whoever does not keep all
   * that was found calls `forget`.
   */
  async scan(watch: ScanWatch): Promise<Scanned> {
    try {
      const folder = this.#folder ?? (await this.#open());
      return await thread.whileWaiting(this.#ask(folder, watch));
    } catch (error) {
      // The thread may know of things that were not kept.
      this.forget();
      throw toIoError(error, 'reading the folder');
    }
  }

  hurry(): void {
    if (this.#folder !== null) thread.post({ type: 'hurry', folder: this.#folder });
  }

  /** The next scan begins with what is kept. */
  forget(): void {
    if (this.#folder !== null) thread.post({ type: 'close', folder: this.#folder });
    this.#folder = null;
  }

  async #open(): Promise<number> {
    const folder = thread.open({
      hear: (reply) => this.#hear(reply),
      lost: (error) => {
        this.#folder = null;
        this.#end()?.reject(error);
      },
    });
    this.#folder = folder;
    thread.post({ type: 'open', folder, options: this.#options });
    let rows: KnownRow[] = [];
    for (const row of this.#known()) {
      rows.push(row);
      if (rows.length < ROWS_AT_ONCE) continue;
      thread.post({ type: 'load', folder, rows });
      rows = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
    thread.post({ type: 'load', folder, rows });
    return folder;
  }

  #ask(folder: number, watch: ScanWatch): Promise<Scanned> {
    const { signal, tellLarge, gently } = watch;
    if (signal.aborted) throw new AppError('cancelled', 'Reading the folder was stopped.');
    const stop = (): void => thread.post({ type: 'stop', folder });
    signal.addEventListener('abort', stop);
    return new Promise<Scanned>((resolve, reject) => {
      this.#running = { watch, resolve, reject };
      thread.post({ type: 'scan', folder, tellLarge, gently });
    }).finally(() => signal.removeEventListener('abort', stop));
  }

  #hear(reply: ScanReply): void {
    switch (reply.type) {
      case 'found':
        this.#running?.watch.found(reply.found);
        return;
      case 'progress':
        this.#running?.watch.progress(reply.done, reply.total);
        return;
      case 'scanned':
        this.#end()?.resolve({ notCovered: reply.notCovered, paths: reply.paths });
        return;
      case 'failed':
        this.#end()?.reject(new AppError(reply.error.code, reply.error.message));
    }
  }

  #end(): RunningScan | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }
}
