// Builds the app into dist/ with Vite, and only the part whose sources changed. Also a command: `npm run build`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { runScript, say } from './messages.mjs';
import { inProject } from './project.mjs';
import { setUpForNode } from './setup.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} result exists once the part was built
 * @property {readonly string[]} sources files and folders it is made of
 * @property {() => Promise<import('vite').InlineConfig[]>} configs
 */

/** @type {Part} */
const nodePart = {
  name: 'main process',
  result: inProject('dist', 'electron', 'main.mjs'),
  sources: ['shared', 'electron', 'scripts/build-targets.mjs', 'package.json', 'package-lock.json'],
  async configs() {
    const { nodeConfig, preloadConfig } = await import('./build-targets.mjs');
    return [nodeConfig(), preloadConfig()];
  },
};

/** @type {Part} */
const pagePart = {
  name: 'page',
  result: inProject('dist', 'renderer', 'index.html'),
  sources: ['shared', 'renderer', 'vite.config.ts', 'package-lock.json'],
  async configs() {
    const { rendererConfig } = await import('./build-targets.mjs');
    return [rendererConfig()];
  },
};

/** Builds what the headless face needs. */
export async function buildForNode() {
  await buildIfChanged(nodePart);
}

/** Builds the whole app. */
export async function buildApp() {
  await buildIfChanged(nodePart);
  await buildIfChanged(pagePart);
}

/** @param {Part} part */
async function buildIfChanged(part) {
  if (isUpToDate(part)) return;
  await withLock(inProject('.cache', 'build.lock'), async () => {
    if (isUpToDate(part)) return;
    const key = sourceKey(part);
    say(`Building the ${part.name} …`);
    const { build } = await import('vite');
    for (const config of await part.configs()) await build(config);
    mkdirSync(path.dirname(stampFile(part)), { recursive: true });
    writeFileSync(stampFile(part), key);
  });
}

/** @param {Part} part */
function isUpToDate(part) {
  return (
    existsSync(part.result) &&
    existsSync(stampFile(part)) &&
    readFileSync(stampFile(part), 'utf8') === sourceKey(part)
  );
}

/** @param {Part} part */
function stampFile(part) {
  return inProject('.cache', 'build', part.name.replace(' ', '-'));
}

/**
 * Changes whenever a source file does. Size and time are enough and take milliseconds.
 * @param {Part} part
 */
function sourceKey(part) {
  const hash = createHash('sha256');
  for (const source of part.sources) {
    for (const file of filesOf(inProject(source))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** @param {string} place */
function filesOf(place) {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    await setUpForNode();
    await buildApp();
  });
}
