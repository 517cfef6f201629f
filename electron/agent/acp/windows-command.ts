/** What npm installs on Windows are batch files, which only cmd.exe can run, and which it must be handed with care. */

import { AppError } from '../../../shared/errors.ts';

/** Inside of quotes these still mean something to cmd.exe; nothing makes them safe there. */
const NOT_QUOTABLE = /["%!\r\n]/;

/**
 * The words to spawn verbatim (`windowsVerbatimArguments`). No word can become a command of its own: each stands in quotes, and one
 * that could break out of them is refused. Throws AppError `agent-unavailable`.
 */
export function batchFileCommand(file: string, words: readonly string[], comspec = 'cmd.exe'): string[] {
  const unsafe = [file, ...words].find((word) => NOT_QUOTABLE.test(word));
  if (unsafe !== undefined) {
    throw new AppError(
      'agent-unavailable',
      `${file} is a batch file, which can't be given ${JSON.stringify(unsafe)}. Name its program itself as the command.`,
    );
  }
  const quoted = [file, ...words].map((word) => `"${word}"`).join(' ');
  return [comspec, '/d', '/s', '/c', `"${quoted}"`];
}
