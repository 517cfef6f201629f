/** What a program prints, as text in the order it came, with the middle left out where it is too much to keep. */

import { StringDecoder } from 'node:string_decoder';

export class CapturedOutput {
  readonly #half: number;
  readonly #onText: (text: string) => void;
  readonly #decoders: StringDecoder[] = [];
  #head = '';
  #isHeadFull = false;
  #tail = '';
  #leftOut = 0;

  /** Keeps the first and the last part, each half of `mostCharacters`; `onText` hears what fits into the first part. */
  constructor(mostCharacters: number, onText: (text: string) => void) {
    this.#half = Math.floor(mostCharacters / 2);
    this.#onText = onText;
  }

  /** One for each stream: a character may come in two pieces. */
  stream(): (bytes: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    this.#decoders.push(decoder);
    return (bytes) => this.#add(decoder.write(bytes));
  }

  /** What was kept, once nothing more comes. */
  end(): { text: string; isTruncated: boolean } {
    // A last piece of a character that never became whole.
    for (const decoder of this.#decoders) this.#add(decoder.end());
    this.#dropAllBut(this.#half);
    if (this.#leftOut === 0) return { text: this.#head + this.#tail, isTruncated: false };
    const gap = `\n… ${this.#leftOut} characters left out …\n`;
    return { text: this.#head + gap + this.#tail, isTruncated: true };
  }

  #add(text: string): void {
    const toHead = this.#isHeadFull ? '' : text.slice(0, cutAt(text, this.#half - this.#head.length));
    this.#head += toHead;
    if (toHead !== '') this.#onText(toHead);
    if (toHead.length === text.length) return;
    this.#isHeadFull = true;
    this.#tail += text.slice(toHead.length);
    // Only now and then: each cut copies what is kept.
    if (this.#tail.length > 2 * this.#half) this.#dropAllBut(this.#half);
  }

  #dropAllBut(most: number): void {
    const dropped = cutAt(this.#tail, this.#tail.length - most);
    if (dropped <= 0) return;
    this.#tail = this.#tail.slice(dropped);
    this.#leftOut += dropped;
  }
}

/** `at`, or one more, so that no pair of surrogates is split. */
function cutAt(text: string, at: number): number {
  const isSplit = /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
  return isSplit ? at + 1 : at;
}
