/** What a program prints, as text in the order it came, with the middle left out where it is too much to keep. */

import { StringDecoder } from 'node:string_decoder';

export class CapturedOutput {
  readonly #most: number;
  readonly #onText: (text: string) => void;
  #head = '';
  #tail = '';
  #leftOut = 0;

  /** Keeps the first and the last part, each half of `mostCharacters`; `onText` hears what fits into the first part. */
  constructor(mostCharacters: number, onText: (text: string) => void) {
    this.#most = mostCharacters;
    this.#onText = onText;
  }

  /** One for each stream: a character may come in two pieces. */
  stream(): (bytes: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    return (bytes) => this.#add(decoder.write(bytes));
  }

  get isTruncated(): boolean {
    return this.#leftOut > 0;
  }

  get text(): string {
    if (this.#leftOut === 0) return this.#head + this.#tail;
    return `${this.#head}\n… ${this.#leftOut} characters left out …\n${this.#tail}`;
  }

  #add(text: string): void {
    const half = this.#most / 2;
    const toHead = text.slice(0, Math.max(0, half - this.#head.length));
    this.#head += toHead;
    if (toHead !== '') this.#onText(toHead);
    const tail = this.#tail + text.slice(toHead.length);
    // Cut only now and then: each cut copies what is kept.
    const rest = tail.length - half;
    this.#tail = rest > half ? tail.slice(rest) : tail;
    if (rest > half) this.#leftOut += rest;
  }
}
