/** Counts the work that windows wait for, so that a picture is taken when nothing more is to be drawn. */

import type { IpcPort } from '../ipc/index.ts';

export class IpcActivity {
  #running = 0;
  #lastMs = Date.now();

  watch(port: IpcPort): IpcPort {
    return {
      handle: (channel, listener) =>
        port.handle(channel, (caller, request) => this.during(() => listener(caller, request))),
    };
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#lastMs = Date.now();
    }
  }

  /** Whether nothing is running and the last of it ended at least this long ago. */
  isQuiet(quietMs: number): boolean {
    return this.#running === 0 && Date.now() - this.#lastMs >= quietMs;
  }
}
