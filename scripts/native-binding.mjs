// Makes better-sqlite3 loadable here. Its shipped binaries ask for Node-API 10 and crash an older host; compiled from the
// package's own sources with the experimental Node-API instead, one binary serves Node 20 and Electron 33 alike.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installCompiler } from './apt.mjs';
import { cacheEntry } from './cache-folder.mjs';
import { SetupError, say } from './messages.mjs';
import { inProject, installedVersion } from './project.mjs';
import { lastLines, runQuietly } from './run-program.mjs';

const FILE_NAME = 'better_sqlite3.node';
const NODE_API_OF_SHIPPED_BINARIES = 10;

const hostNodeApi = Number(process.versions.napi);

/**
 * @param {{nodeApi: number}} [runtime] the Electron that will load it too; an older one needs the compiled binding
 */
export async function placeNativeBinding(runtime) {
  const place = inProject('node_modules', 'better-sqlite3', 'build', 'Release', FILE_NAME);
  if (Math.min(hostNodeApi, runtime?.nodeApi ?? hostNodeApi) >= NODE_API_OF_SHIPPED_BINARIES) {
    // The package prefers a compiled binding over the shipped one; an older Node may have left one here.
    rmSync(path.dirname(path.dirname(place)), { recursive: true, force: true });
    return;
  }
  const libc = existsSync(`/lib/ld-musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`)
    ? '-musl'
    : '';
  const version = installedVersion('better-sqlite3');
  const entry = await cacheEntry(
    `better-sqlite3-${version}-${process.platform}${libc}-${process.arch}-napi${hostNodeApi}`,
    compileInto,
  );
  mkdirSync(path.dirname(place), { recursive: true });
  // Renamed into place: a process that has the old file loaded keeps it whole.
  const draft = `${place}.${process.pid}`;
  copyFileSync(path.join(entry, FILE_NAME), draft);
  renameSync(draft, place);
}

/** @param {string} folder */
async function compileInto(folder) {
  await installCompiler();
  say('Compiling the SQLite binding for this Node (about a minute, once) …');
  const workFolder = path.join(folder, 'work');
  const packageFolder = path.join(workFolder, 'better-sqlite3');
  cpSync(inProject('node_modules', 'better-sqlite3'), packageFolder, {
    recursive: true,
    filter: (source) => !/[\\/](build|prebuilds)$/.test(source),
  });
  cpSync(
    inProject('node_modules', 'node-addon-api'),
    path.join(workFolder, 'node_modules', 'node-addon-api'),
    {
      recursive: true,
    },
  );
  askForExperimentalNodeApi(path.join(packageFolder, 'binding.gyp'));

  const nodeGyp = inProject('node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  const args = [nodeGyp, 'rebuild', '--release', '--force_build=1', `--jobs=${os.availableParallelism()}`];
  const headers = localHeaders();
  if (headers) args.push(`--nodedir=${headers}`);
  const { code, output } = await runQuietly(process.execPath, args, { cwd: packageFolder });
  const binary = path.join(packageFolder, 'build', 'Release', FILE_NAME);
  if (code !== 0 || !existsSync(binary)) {
    throw new SetupError(
      `The SQLite binding could not be compiled. It needs Python 3, make, a C++20 compiler and the headers of Node; ` +
        `Node 22.14 or newer needs none of this.\n${lastLines(output)}`,
    );
  }
  await mustLoad(binary);
  renameSync(binary, path.join(folder, FILE_NAME));
  rmSync(workFolder, { recursive: true, force: true });
}

/** @param {string} gypFile */
function askForExperimentalNodeApi(gypFile) {
  const shipped = "'NAPI_VERSION=10'";
  const source = readFileSync(gypFile, 'utf8');
  if (!source.includes(shipped)) {
    throw new SetupError(
      `better-sqlite3 ${installedVersion('better-sqlite3')} is built differently from the version that the set-up knows. Use Node 22.14 or newer.`,
    );
  }
  writeFileSync(
    gypFile,
    source.replace(shipped, "'NAPI_EXPERIMENTAL', 'NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'"),
  );
}

/** Headers that came with this Node spare a download; without them node-gyp fetches them. */
function localHeaders() {
  if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir;
  const prefix = path.dirname(path.dirname(process.execPath));
  const versionFile = path.join(prefix, 'include', 'node', 'node_version.h');
  if (!existsSync(versionFile)) return undefined;
  const header = readFileSync(versionFile, 'utf8');
  /** @param {string} part */
  const number = (part) => header.match(new RegExp(`#define NODE_${part}_VERSION (\\d+)`))?.[1];
  const found = `${number('MAJOR')}.${number('MINOR')}.${number('PATCH')}`;
  return found === process.versions.node ? prefix : undefined;
}

/**
 * A binding that crashes must be found here, not in the person's folder.
 * @param {string} binary
 */
async function mustLoad(binary) {
  const program = `
    const Database = require(${JSON.stringify(inProject('node_modules', 'better-sqlite3'))});
    const db = new Database(':memory:', { nativeBinding: ${JSON.stringify(binary)} });
    if (db.prepare('select 1 + 1 as two').get().two !== 2) process.exit(1);`;
  const { code, output } = await runQuietly(process.execPath, ['-e', program]);
  if (code !== 0) throw new SetupError(`The compiled SQLite binding does not load:\n${lastLines(output, 8)}`);
}
