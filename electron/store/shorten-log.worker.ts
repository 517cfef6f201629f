/** The thread that works long logs into their index: it waits for the disk, so that nobody else has to. */

import { parentPort } from 'node:worker_threads';
import { Db } from './db.ts';
import type { LogReply, LogRequest } from './shorten-log.ts';

parentPort?.on('message', ({ request, path }: LogRequest) => {
  try {
    Db.shortenLog(path);
  } catch {
    // The log stays as long as it is; an ordinary commit of the store works it in.
  }
  parentPort?.postMessage({ request } satisfies LogReply);
});
