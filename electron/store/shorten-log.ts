/** Works the log of an index into it in a thread of its own, one for all histories of the process. */

import type { Worker } from 'node:worker_threads';
import { startWorker } from '../base/worker-url.ts';

export interface LogRequest {
  readonly request: number;
  readonly path: string;
}

export interface LogReply {
  readonly request: number;
}

const waiting = new Map<number, () => void>();
let thread: Worker | null = null;
let requests = 0;

/** Resolves also when it could not be done: a long log is slow, and never wrong. */
export async function shortenLog(path: string): Promise<void> {
  thread ??= start();
  const worker = thread;
  requests += 1;
  const request = requests;
  const done = new Promise<void>((resolve) => waiting.set(request, resolve));
  worker.ref();
  worker.postMessage({ request, path } satisfies LogRequest);
  await done;
  // An idle thread must not keep the process from ending.
  if (waiting.size === 0) worker.unref();
}

function start(): Worker {
  const worker = startWorker(new URL('./shorten-log.worker.ts', import.meta.url));
  worker.on('message', ({ request }: LogReply) => settle(request));
  const lose = (): void => {
    thread = null;
    for (const request of [...waiting.keys()]) settle(request);
  };
  worker.on('error', lose).on('exit', lose);
  return worker;
}

function settle(request: number): void {
  waiting.get(request)?.();
  waiting.delete(request);
}
