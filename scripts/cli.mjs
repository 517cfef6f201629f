// Runs the headless face from this checkout: `npm run -s cli -- COMMAND --folder DIR`. Only its result goes to stdout.
import { pathToFileURL } from 'node:url';
import { buildForNode } from './build.mjs';
import { runScript } from './messages.mjs';
import { callerFolder, inProject } from './project.mjs';
import { setUpForNode } from './setup.mjs';

await runScript(async () => {
  await setUpForNode();
  await buildForNode();
});

// In this same process, which saves the start of another one, and in the person's folder, so that paths mean the same.
if (process.exitCode === 0) {
  const program = inProject('dist', 'electron', 'cli.mjs');
  process.argv.splice(1, 1, program);
  process.chdir(callerFolder());
  await import(pathToFileURL(program).href);
}
