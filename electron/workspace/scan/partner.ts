/** The second thread of a scan, as the first one sees it: one request at a time. */

import type { Worker } from 'node:worker_threads';
import type { Partner } from './folder-scan.ts';
import type { KnownPaths } from './known-paths.ts';
import type { Looked } from './look.ts';
import type { PartnerReply, PartnerRequest } from './messages.ts';
import { errorOf } from './thread-error.ts';

export class PartnerThread implements Partner {
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  async differing(known: KnownPaths, from: number, to: number): Promise<number[]> {
    const changed = known.takeChanged();
    const reply = await this.#ask({ type: 'differing', changed, table: known.table.buffer, from, to });
    return reply.type === 'differing' ? [...reply.indices] : [];
  }

  async look(paths: readonly string[]): Promise<Looked[]> {
    const reply = await this.#ask({ type: 'look', paths });
    return reply.type === 'looked' ? [...reply.looked] : [];
  }

  #ask(request: PartnerRequest): Promise<PartnerReply> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('A thread that reads the folder ended.'));
      this.#worker.once('exit', ended);
      this.#worker.once('message', (reply: PartnerReply) => {
        this.#worker.off('exit', ended);
        if (reply.type === 'failed') reject(errorOf(reply.error));
        else resolve(reply);
      });
      this.#worker.postMessage(request);
    });
  }
}
