/** Counts the calls of windows that are under way, so that a picture is taken when nothing more is to be drawn. */

import type { IpcPort } from '../ipc/index.ts';

export class IpcActivity {
  #running = 0;
  #lastMs = Date.now();

  watch(port: IpcPort): IpcPort {
    return {
      handle: (channel, listener) =>
        port.handle(channel, async (caller, request) => {
          this.#running += 1;
          try {
            return await listener(caller, request);
          } finally {
            this.#running -= 1;
            this.#lastMs = Date.now();
          }
        }),
    };
  }

  /** Whether no call is running and the last one ended at least this long ago. */
  isQuiet(quietMs: number): boolean {
    return this.#running === 0 && Date.now() - this.#lastMs >= quietMs;
  }
}
