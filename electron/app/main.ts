/** The program: with a command's name it is the headless face, otherwise it opens a window. */

import { app } from 'electron';
import { isCommandName, processIo, runCli } from '../cli/index.ts';
import { runWindowApp } from './window-app.ts';

/** Chromium's own; as root it does not start without. */
const NOT_OURS = '--no-sandbox';

const words = process.argv.slice(1).filter((word) => word !== NOT_OURS);

// From a checkout the headless face is a program of its own; the packaged program is both.
if (app.isPackaged && isCommandName(words[0] ?? '')) {
  // Works on a machine without a display.
  app.commandLine.appendSwitch('ozone-platform', 'headless');
  app.exit(await runCli(words, processIo(process.cwd())));
} else {
  runWindowApp(words);
}
