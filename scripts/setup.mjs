// Prepares a fresh machine, once; the second run finds a stamp and returns at once. Also a command: `npm run setup`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installGit, installWindowPackages } from './apt.mjs';
import { describeRuntime, electronRuntime, findElectronRuntime } from './electron-runtime.mjs';
import { withLock } from './lock.mjs';
import { runScript, SetupError, say } from './messages.mjs';
import { placeNativeBinding } from './native-binding.mjs';
import { installPackages } from './npm-packages.mjs';
import { inProject, setupFolder } from './project.mjs';

const OLDEST_NODE = [20, 19];

/**
 * Makes the code run under Node: packages and the SQLite binding.
 * @returns {Promise<void>}
 */
export async function setUpForNode() {
  await once('node', async () => {
    mustBeNewEnough();
    await installPackages();
    await placeNativeBinding();
  });
}

/**
 * Makes the app open a window too.
 * @returns {Promise<import('./electron-runtime.mjs').ElectronRuntime>}
 */
export async function setUpForWindow() {
  const ready = isStamped('window') ? findElectronRuntime() : undefined;
  if (ready) return ready;
  await setUpForNode();
  return withLock(inProject('.cache', 'setup-window.lock'), async () => {
    await installWindowPackages();
    await installGit();
    const runtime = await electronRuntime();
    await placeNativeBinding(runtime);
    stamp('window');
    say(describeRuntime(runtime));
    return runtime;
  });
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function once(name, work) {
  if (isStamped(name)) return;
  await withLock(inProject('.cache', `setup-${name}.lock`), async () => {
    if (isStamped(name)) return;
    await work();
    stamp(name);
  });
}

/** @param {string} name */
function isStamped(name) {
  const file = path.join(setupFolder, name);
  return existsSync(file) && readFileSync(file, 'utf8') === machineKey();
}

/** @param {string} name */
function stamp(name) {
  mkdirSync(setupFolder, { recursive: true });
  writeFileSync(path.join(setupFolder, name), machineKey());
}

/** Changes whenever something that the set-up depends on does. */
function machineKey() {
  const lockFile = createHash('sha256')
    .update(readFileSync(inProject('package-lock.json')))
    .digest('hex');
  return `${lockFile} node-${process.version} ${process.platform}-${process.arch}\n`;
}

function mustBeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new SetupError(
      `Node ${OLDEST_NODE.join('.')} or newer is needed; this is Node ${process.versions.node}.`,
    );
  }
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    await setUpForWindow();
    say('Everything is set up.');
  });
}
