/** The program: with a command's name it is the headless face, otherwise it opens a window. */

import { app } from 'electron';
import { isCommandName, processIo, runCli } from '../cli/index.ts';
import { runWindowApp } from './window-app.ts';

const words = process.argv.slice(1);

// From a checkout the headless face is a program of its own; the packaged program is both.
if (app.isPackaged && isCommandName(words[0] ?? '')) {
  app.exit(await runCli(words, processIo(process.cwd())));
} else {
  runWindowApp(words);
}
