// Makes an app that runs from its own folder below release/: `npm run package`. With `--installers` also the formats of
// electron-builder.yml, whose tools electron-builder downloads.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildApp } from './build.mjs';
import { runScript, say } from './messages.mjs';
import { inProject } from './project.mjs';
import { setUpForWindow } from './setup.mjs';

const NODE_API_OF_SHIPPED_BINARIES = 10;

/** @returns {Promise<string>} the program of the packaged app */
export async function packageApp({ installers = false } = {}) {
  const runtime = await setUpForWindow();
  await buildApp();
  rmSync(inProject('release'), { recursive: true, force: true });
  say(`Packaging with Electron ${runtime.version} …`);
  const { build } = await import('electron-builder');
  await build({
    projectDir: inProject(),
    publish: 'never',
    ...(installers ? {} : { dir: true }),
    config: {
      extends: inProject('electron-builder.yml'),
      electronDist: runtime.distDir,
      electronVersion: runtime.version,
      files: [nativeFileFor(runtime)],
      afterPack: removeDefaultApp,
    },
  });
  return packagedProgram();
}

/**
 * The app that starts other apps is for development only.
 * @param {import('electron-builder').AfterPackContext} context
 */
async function removeDefaultApp({ appOutDir, packager }) {
  rmSync(path.join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}

/**
 * The runtime decides which binary goes in, whatever this Node itself needs.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} runtime
 */
function nativeFileFor(runtime) {
  return runtime.nodeApi >= NODE_API_OF_SHIPPED_BINARIES
    ? `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`
    : 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
}

/** @returns {string} */
export function packagedProgram() {
  const places = {
    linux: ['linux-unpacked', 'osfoundry-rewind'],
    win32: ['win-unpacked', 'osFoundry Rewind.exe'],
    darwin: ['mac', 'osFoundry Rewind.app', 'Contents', 'MacOS', 'osFoundry Rewind'],
  };
  const place =
    process.platform === 'darwin' || process.platform === 'win32' ? places[process.platform] : places.linux;
  return inProject('release', ...place);
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    const program = await packageApp({ installers: process.argv.includes('--installers') });
    say(`The app is ${path.relative(inProject(), program)}.`);
    return existsSync(program) ? 0 : 1;
  });
}
