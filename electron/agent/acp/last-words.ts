/** Keeps the end of what an agent says beside the protocol, for the message about its end. */

import { stripVTControlCharacters } from 'node:util';

const LONGEST_BYTES = 4000;
const LONGEST_WORDS = 600;

export class LastWords {
  #heard: Buffer = Buffer.alloc(0);

  hear(bytes: Uint8Array): void {
    this.#heard = Buffer.concat([this.#heard, bytes]).subarray(-LONGEST_BYTES);
  }

  /** Without colours, and with the beginning cut off rather than the end: the reason comes last. */
  get text(): string {
    const words = stripVTControlCharacters(this.#heard.toString('utf8')).trim();
    return words.length > LONGEST_WORDS ? `…${words.slice(-LONGEST_WORDS)}` : words;
  }
}
