// Speaks to the person who runs a script. Everything goes to stderr, so that stdout stays free for results.

/** @param {string} text */
export function say(text) {
  process.stderr.write(`[rewind] ${text}\n`);
}

/** A failure that the person can do something about: shown as a sentence, without a stack. */
export class SetupError extends Error {}

/**
 * Runs the main function of a script and turns its result into the exit code.
 * @param {() => Promise<number | void>} main
 */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    say(error instanceof SetupError ? error.message : `Unexpected failure: ${inFull(error)}`);
    process.exitCode = 1;
  }
}

/** @param {unknown} error */
function inFull(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
