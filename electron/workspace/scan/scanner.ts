/** Scans a folder in threads of its own, which remember what they saw until the scanner is closed. */

import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { toIoError } from '../../base/io-errors.ts';
import { startWorker } from '../../base/worker-url.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import type { Looked } from './look.ts';
import type { KnownRow, NotCoveredPath, ScanReply, ScanRequest, WorkerData } from './messages.ts';
import { errorOf } from './thread-error.ts';

/** So that telling the threads what is known blocks nobody. */
const ROWS_AT_ONCE = 2000;

export interface ScanWatch {
  readonly signal: AbortSignal;
  /** Called while the scan goes on. */
  readonly found: (looked: readonly Looked[]) => void;
  readonly progress: (done: number, total: number) => void;
}

export interface Scanned {
  readonly notCovered: readonly NotCoveredPath[];
  /** How many paths are covered. */
  readonly paths: number;
}

export class Scanner {
  readonly #options: FolderScanOptions;
  readonly #known: () => Iterable<KnownRow>;
  #worker: Worker | null = null;

  /** `known` is asked for what was remembered, whenever the threads begin anew. */
  constructor(options: FolderScanOptions, known: () => Iterable<KnownRow>) {
    this.#options = options;
    this.#known = known;
  }

  /**
   * One scan at a time. Throws AppError `cancelled`, `disk-full`, `io-failed`. Whoever does not keep all that was found
   * calls `forget`.
   */
  async scan(watch: ScanWatch): Promise<Scanned> {
    try {
      const worker = this.#worker ?? (await this.#start());
      worker.ref();
      const scanned = await this.#ask(worker, watch);
      worker.unref();
      return scanned;
    } catch (error) {
      // The threads may know of things that were not kept.
      await this.forget();
      throw error instanceof AppError ? error : toIoError(error, 'reading the folder');
    }
  }

  /** The next scan begins with what is kept. */
  async forget(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #start(): Promise<Worker> {
    const workerData: WorkerData = { role: 'scan', options: this.#options };
    const worker = startWorker(new URL('./scan.worker.ts', import.meta.url), { workerData });
    this.#worker = worker;
    let rows: KnownRow[] = [];
    const load = async (): Promise<void> => {
      worker.postMessage({ type: 'load', rows } satisfies ScanRequest);
      rows = [];
      await new Promise((resolve) => setImmediate(resolve));
    };
    for (const row of this.#known()) {
      rows.push(row);
      if (rows.length >= ROWS_AT_ONCE) await load();
    }
    await load();
    return worker;
  }

  #ask(worker: Worker, { signal, found, progress }: ScanWatch): Promise<Scanned> {
    return new Promise((resolve, reject) => {
      const stop = (): void => worker.postMessage({ type: 'stop' } satisfies ScanRequest);
      const end = (settle: () => void): void => {
        worker.off('message', hear).off('error', fail).off('exit', exit);
        signal.removeEventListener('abort', stop);
        settle();
      };
      const fail = (error: unknown): void => end(() => reject(error));
      const exit = (): void => fail(new AppError('cancelled', 'The folder was closed while it was read.'));
      const hear = (reply: ScanReply): void => {
        switch (reply.type) {
          case 'found':
            found(reply.looked);
            return;
          case 'progress':
            progress(reply.done, reply.total);
            return;
          case 'scanned':
            end(() => resolve({ notCovered: reply.notCovered, paths: reply.paths }));
            return;
          case 'stopped':
            fail(new AppError('cancelled', 'Reading the folder was stopped.'));
            return;
          case 'failed':
            fail(errorOf(reply.error));
        }
      };
      worker.on('message', hear).on('error', fail).on('exit', exit);
      signal.addEventListener('abort', stop, { once: true });
      worker.postMessage({ type: 'scan' } satisfies ScanRequest);
      if (signal.aborted) stop();
    });
  }
}
