/** Runs the headless face in this process, with strings in place of its streams. */

import { expect } from 'vitest';
import type { CliIo } from '../../electron/cli/io.ts';
import { runCli } from '../../electron/cli/run-cli.ts';

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function cli(
  folder: string,
  words: readonly string[],
  options: Partial<Pick<CliIo, 'ask' | 'onInterrupt' | 'environment'>> & { input?: string } = {},
): Promise<CliRun> {
  let out = '';
  let err = '';
  const code = await runCli(words, {
    cwd: folder,
    environment: options.environment ?? {},
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readInput: () => Promise.resolve(options.input ?? ''),
    ask: options.ask ?? null,
    onInterrupt: options.onInterrupt ?? (() => () => undefined),
  });
  return { code, out, err };
}

/** The one JSON document that the command printed; its exit code must be as given. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are what the tests check.
export async function cliJson(folder: string, words: readonly string[], code = 0, input = ''): Promise<any> {
  const run = await cli(folder, [...words, '--json'], { input });
  expect(run, run.err + run.out).toMatchObject({ code });
  return JSON.parse(run.out);
}

/** One turn of the practice agent with these calls. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are what the tests check.
export function chatJson(folder: string, calls: readonly object[], code = 0): Promise<any> {
  return cliJson(folder, ['chat', JSON.stringify(calls)], code);
}
