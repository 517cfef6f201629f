/** Where the headless face reads and writes; tests give it strings, the program its own streams. */

import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

export interface CliIo {
  /** Relative folders are relative to this. */
  readonly cwd: string;
  /** Keys of providers are looked up here; nothing else is. */
  readonly environment: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** null when nobody is there to ask. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | null;
  /** Calls back at each interrupt (Ctrl-C, a closed terminal, a plain kill) until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
}

/** Without a listener each of these ends the program at once, and what a command started would run on. */
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function processIo(cwd: string): CliIo {
  return {
    cwd,
    environment: process.env,
    out: (chunk) => process.stdout.write(chunk),
    err: (chunk) => process.stderr.write(chunk),
    readInput: () => text(process.stdin),
    ask: process.stdin.isTTY === true && process.stderr.isTTY === true ? askOnTerminal : null,
    onInterrupt: (listener) => {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener);
      };
    },
  };
}

/** Asks on standard error: standard output is for the result alone. */
async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Readline swallows Ctrl-C while it waits; it is an interrupt like any other.
  terminal.on('SIGINT', () => process.emit('SIGINT'));
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}
