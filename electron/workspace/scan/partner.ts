/** The second thread, as the scanning one sees it. */

import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import type { KnownPaths } from './known-paths.ts';
import type { Looked } from './look.ts';
import type { PartnerReply, PartnerRequest } from './messages.ts';

/** For one folder. */
export interface Partner {
  /** Of the known paths, those that the partner takes by `next` and that differ. */
  differing(known: KnownPaths, next: Int32Array<SharedArrayBuffer>): Promise<readonly number[]>;
  look(paths: readonly string[], tellLarge: boolean): Promise<readonly Looked[]>;
}

interface Waiting {
  readonly resolve: (reply: PartnerReply) => void;
  readonly reject: (error: unknown) => void;
}

export class PartnerThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: PartnerReply) => {
      const waiting = this.#waiting.get(reply.request);
      this.#waiting.delete(reply.request);
      if (reply.type === 'failed') waiting?.reject(new AppError(reply.error.code, reply.error.message));
      else waiting?.resolve(reply);
    });
    worker.on('error', (error) => this.#fail(error));
  }

  open(folder: number, options: FolderScanOptions): Partner {
    this.#post({ type: 'open', folder, options });
    return {
      differing: async (known, next) => {
        const changed = known.takeChanged();
        const { table, end } = known;
        const reply = await this.#ask((request) => ({
          type: 'compare',
          request,
          folder,
          changed,
          table: table.buffer,
          end,
          next,
        }));
        return reply.type === 'compared' ? reply.indices : [];
      },
      look: async (paths, tellLarge) => {
        const reply = await this.#ask((request) => ({ type: 'look', request, folder, paths, tellLarge }));
        return reply.type === 'looked' ? reply.looked : [];
      },
    };
  }

  close(folder: number): void {
    this.#post({ type: 'close', folder });
  }

  #ask(make: (request: number) => PartnerRequest): Promise<PartnerReply> {
    this.#requests += 1;
    const request = this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      this.#post(make(request));
    });
  }

  #post(request: PartnerRequest): void {
    this.#worker.postMessage(request);
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
