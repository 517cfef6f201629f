/** Reads and writes a command line as words: no shell, only quotes. Pure. */

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;

export function splitCommand(text: string): string[] {
  return [...text.matchAll(WORD)].map(([, double, single, plain]) =>
    double !== undefined ? double.replace(/\\(.)/g, '$1') : (single ?? plain ?? ''),
  );
}

export function joinCommand(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"']+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`))
    .join(' ');
}
