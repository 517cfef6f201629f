// Installs the system packages that are missing, on Debian and its relatives, when we may.
import { existsSync } from 'node:fs';
import { SetupError, say } from './messages.mjs';
import { isOnPath, lastLines, runQuietly } from './run-program.mjs';

const WINDOW_LIBRARIES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libatk-bridge2.0-0', 'libxss1'];
/** Without these, text on a bare machine is drawn as boxes; a desktop has fonts of its own. */
const WINDOW_FONTS = ['fonts-dejavu-core', 'fonts-noto-color-emoji'];

/** @returns {Promise<void>} when a window can be opened on this machine */
export async function installWindowPackages() {
  if (process.platform !== 'linux') return;
  const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const packages = hasDisplay || isOnPath('Xvfb') ? [...WINDOW_LIBRARIES] : ['xvfb', ...WINDOW_LIBRARIES];
  if (!hasDisplay && isRoot()) packages.push(...WINDOW_FONTS);
  await installMissing(packages, 'to open a window');
}

/** @returns {Promise<void>} when native code can be compiled on this machine */
export async function installCompiler() {
  if (process.platform !== 'linux') return;
  const packages = [];
  if (!isOnPath('python3')) packages.push('python3');
  if (!isOnPath('make')) packages.push('make');
  if (!isOnPath('g++')) packages.push('g++');
  await installMissing(packages, 'to compile the SQLite binding');
}

/** @returns {Promise<void>} when git is there; tests and benchmarks use it, the app does not */
export async function installGit() {
  if (process.platform === 'linux' && !isOnPath('git')) await installMissing(['git'], 'to run the tests');
}

/**
 * @param {readonly string[]} packages
 * @param {string} purpose
 */
async function installMissing(packages, purpose) {
  if (packages.length === 0) return;
  if (!isOnPath('apt-get') || !isOnPath('dpkg-query')) {
    // Other distributions name their packages differently; most desktops have them all.
    if (!packages.includes('libgtk-3-0')) throw new SetupError(pleaseInstall(packages, purpose));
    return;
  }
  const missing = await missingOf(packages);
  if (missing.length === 0) return;
  if (!isRoot()) {
    throw new SetupError(
      `${pleaseInstall(missing, purpose)} For example: sudo apt-get install ${missing.join(' ')}`,
    );
  }
  say(`Installing system packages ${purpose}: ${missing.join(' ')} …`);
  await apt(['update'], missing, purpose);
  const available = await Promise.all(missing.map(nameInThisRelease));
  await apt(['install', '-y', '--no-install-recommends', ...available], missing, purpose);
}

function isRoot() {
  return process.getuid?.() === 0;
}

/** @param {readonly string[]} packages @param {string} purpose */
function pleaseInstall(packages, purpose) {
  return `System packages are missing ${purpose}. Please install: ${packages.join(' ')}.`;
}

/** @param {readonly string[]} packages */
async function missingOf(packages) {
  const names = packages.flatMap((name) => [name, `${name}t64`]);
  const format = `-f=\${Package} \${db:Status-Status}\n`;
  const { stdout } = await runQuietly('dpkg-query', ['-W', format, ...names]);
  const installed = new Set(
    stdout.split('\n').flatMap((line) => (line.endsWith(' installed') ? line.split(' ', 1) : [])),
  );
  return packages.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

/**
 * Newer releases gave some libraries the suffix t64 (64-bit time).
 * @param {string} name
 */
async function nameInThisRelease(name) {
  const { stdout } = await runQuietly('apt-cache', ['policy', `${name}t64`]);
  return stdout.includes('Candidate:') && !stdout.includes('Candidate: (none)') ? `${name}t64` : name;
}

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} missing
 * @param {string} purpose
 */
async function apt(args, missing, purpose) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await runQuietly('apt-get', ['-q', ...args], { env });
  if (code !== 0) {
    const why = existsSync('/etc/apt') ? lastLines(output, 8) : '';
    throw new SetupError(`${pleaseInstall(missing, purpose)} apt-get ${args[0]} failed:\n${why}`);
  }
}
