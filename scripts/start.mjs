// Opens the app from this checkout: `npm start -- --folder DIR --user-data-dir DIR2 …`; its arguments go to the app.
import path from 'node:path';
import { buildApp } from './build.mjs';
import { withDisplay } from './display.mjs';
import { runScript } from './messages.mjs';
import { callerFolder, projectRoot } from './project.mjs';
import { runVisibly } from './run-program.mjs';
import { setUpForWindow } from './setup.mjs';

const OPTIONS_WITH_PATH = ['--folder', '--user-data-dir', '--screenshot'];

/**
 * Makes paths absolute, since the app runs in another folder than the person.
 * @param {readonly string[]} args
 */
function withAbsolutePaths(args) {
  return args.map((argument, index) => {
    if (OPTIONS_WITH_PATH.includes(args[index - 1] ?? '')) return path.resolve(callerFolder(), argument);
    const option = OPTIONS_WITH_PATH.find((name) => argument.startsWith(`${name}=`));
    return option ? `${option}=${path.resolve(callerFolder(), argument.slice(option.length + 1))}` : argument;
  });
}

await runScript(async () => {
  const runtime = await setUpForWindow();
  await buildApp();
  // Chromium refuses to run its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...sandbox, projectRoot, ...withAbsolutePaths(process.argv.slice(2))];
  return withDisplay((env, isVirtual) => {
    // A machine without a display has no desktop services either, and Chromium complains about each.
    const quiet = isVirtual ? ['--log-level=3'] : [];
    return runVisibly(runtime.executablePath, [...quiet, ...args], { env });
  });
});
