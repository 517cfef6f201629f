/** One `/bin/sh` that runs script after script: starting a process from a large one takes longer than most scripts. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Mutex } from '../../electron/base/mutex.ts';
import { quoted } from './shell-script.ts';

export class Shell {
  readonly #oneByOne = new Mutex();
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    this.#process = spawn('/bin/sh', { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** In a shell within the shell, in the folder. Which of the lines fail is not of interest. */
  run(root: string, lines: readonly string[]): Promise<void> {
    return this.#oneByOne.run(async () => {
      const outside = quoted(root.slice(0, root.lastIndexOf('/')));
      this.#process.stdin.write(
        `(cd ${quoted(root)} || exit; export GIT_CEILING_DIRECTORIES=${outside}\n${lines.join('\n')}\n) < /dev/null > /dev/null; echo\n`,
      );
      const { done } = await this.#answers.next();
      if (done === true) throw new Error('The shell has ended.');
    });
  }

  close(): void {
    this.#process.stdin.end();
  }
}

/** The machine's own settings of git must not matter. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
