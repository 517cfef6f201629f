// Brings node_modules to what package-lock.json says, and does nothing when it is there already.
import { existsSync } from 'node:fs';
import { SetupError, say } from './messages.mjs';
import { inProject, readJson } from './project.mjs';
import { lastLines, npmCommand, runQuietly } from './run-program.mjs';

export async function installPackages() {
  if (packagesAreCurrent()) return;
  say('Installing packages …');
  // Packages run no scripts of their own: the native parts are made by the set-up, where their failures can be explained.
  const [program, args] = npmCommand([
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  const { code, output } = await runQuietly(program, args);
  if (code !== 0) {
    throw new SetupError(
      `npm could not install the packages. Check the connection to the package registry, then run the command again.\n${lastLines(output)}`,
    );
  }
}

/** Compares the lock file with the copy that npm keeps inside node_modules. */
function packagesAreCurrent() {
  const installedFile = inProject('node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = readJson(inProject('package-lock.json')).packages;
  const installed = readJson(installedFile).packages;
  for (const [place, entry] of Object.entries(wanted)) {
    const found = installed[place];
    // Optional packages are missing where they are meant for another platform.
    if (
      place !== '' &&
      !(found ? found.version === entry.version : entry.optional || entry.devOptional || entry.peer)
    ) {
      return false;
    }
  }
  return Object.keys(installed).every((place) => wanted[place]);
}
