// Runs the benchmarks: `npm run bench -- CASE… --json FILE`. One of them opens a window.
import { buildApp } from './build.mjs';
import { withDisplay } from './display.mjs';
import { runScript } from './messages.mjs';
import { runTypeScript } from './run-typescript.mjs';
import { setUpForWindow } from './setup.mjs';

await runScript(async () => {
  await setUpForWindow();
  await buildApp();
  return withDisplay((env) => runTypeScript('bench/run.ts', process.argv.slice(2), env));
});
