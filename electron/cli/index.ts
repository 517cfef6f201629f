/** The headless face as the packaged program serves it: the same words after its name. */

export { isCommandName } from './arguments.ts';
export { processIo } from './io.ts';
export { runCli } from './run-cli.ts';
