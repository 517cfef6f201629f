// Runs a TypeScript file of this checkout under Node: `node scripts/run-typescript.mjs FILE ARGUMENT…`.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runScript } from './messages.mjs';
import { callerFolder, inProject } from './project.mjs';
import { runVisibly } from './run-program.mjs';
import { setUpForNode } from './setup.mjs';

/**
 * @param {string} file relative to the project
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export function runTypeScript(file, args, env = process.env) {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return runVisibly(process.execPath, ['--import', loader, inProject(file), ...args], {
    cwd: callerFolder(),
    env,
  });
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    await setUpForNode();
    const [file = '', ...args] = process.argv.slice(2);
    return runTypeScript(file, args);
  });
}
