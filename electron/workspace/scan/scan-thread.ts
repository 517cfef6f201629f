/** The scanning thread, as the main thread sees it: one for all folders of the process, started when it is first needed. */

import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../base/worker-url.ts';
import type { ScanReply, ScanRequest } from './messages.ts';

export interface Listener {
  hear(reply: ScanReply): void;
  /** The thread has ended, and knows of nothing any more. */
  lost(error: unknown): void;
}

export class ScanThread {
  readonly #listeners = new Map<number, Listener>();
  #worker: Worker | null = null;
  #folders = 0;
  #waiting = 0;

  /** The number of the folder. */
  open(listener: Listener): number {
    this.#folders += 1;
    this.#listeners.set(this.#folders, listener);
    return this.#folders;
  }

  post(request: ScanRequest): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
    if (request.type === 'close') this.#listeners.delete(request.folder);
  }

  /** The process does not end while someone waits for an answer; an idle thread holds up nobody. */
  async whileWaiting<T>(answer: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#worker?.ref();
    try {
      return await answer;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#worker?.unref();
    }
  }

  #start(): Worker {
    const worker = startWorker(new URL('./scan.worker.ts', import.meta.url), { workerData: 'scan' });
    worker.unref();
    worker.on('message', (reply: ScanReply) => this.#listeners.get(reply.folder)?.hear(reply));
    worker.on('error', (error) => this.#lose(error));
    worker.on('exit', () => this.#lose(new Error('the thread that reads the folder has ended')));
    return worker;
  }

  #lose(error: unknown): void {
    this.#worker = null;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) listener.lost(error);
  }
}
