// Runs the end-to-end tests in a real window: `npm run test:e2e -- FILTER…`.
import { buildApp } from './build.mjs';
import { withDisplay } from './display.mjs';
import { runScript } from './messages.mjs';
import { inProject } from './project.mjs';
import { runVisibly } from './run-program.mjs';
import { setUpForWindow } from './setup.mjs';

await runScript(async () => {
  await setUpForWindow();
  await buildApp();
  const args = [
    inProject('node_modules', '@playwright', 'test', 'cli.js'),
    'test',
    '--config',
    inProject('test', 'e2e', 'playwright.config.ts'),
    ...process.argv.slice(2),
  ];
  return withDisplay((env) => runVisibly(process.execPath, args, { env }));
});
