// Says what is built from what. All code of the main process goes flat into dist/electron, so that a file finds the
// preload script, a worker or the page at the same relative place, whichever chunk it ends up in.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { inProject } from './project.mjs';

export const outFolder = inProject('dist', 'electron');

/** Stays outside of the bundle: Electron provides the one, and the other has a native part. */
const EXTERNAL = ['electron', 'better-sqlite3'];

/** @typedef {import('vite').InlineConfig} ViteConfig */

/** @returns {ViteConfig} main process, headless face and workers: ES modules that share their chunks */
export function nodeConfig() {
  /** @type {Record<string, string>} */
  const input = { main: inProject('electron/app/main.ts'), cli: inProject('electron/cli/main.ts') };
  for (const file of workerSources()) input[`worker-${path.basename(file, '.worker.ts')}`] = file;
  return {
    ...common(),
    build: {
      ...commonBuild(),
      rolldownOptions: {
        input,
        external: EXTERNAL,
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name]-[hash].mjs' },
      },
    },
  };
}

/** @returns {ViteConfig} a sandboxed preload script must be one CommonJS file */
export function preloadConfig() {
  return {
    ...common(),
    build: {
      ...commonBuild(),
      emptyOutDir: false,
      rolldownOptions: {
        input: { preload: inProject('electron/preload.ts') },
        external: EXTERNAL,
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  };
}

/** @returns {ViteConfig} the page; its settings are in vite.config.ts */
export function rendererConfig() {
  return { configFile: inProject('vite.config.ts'), logLevel: 'warn' };
}

/** @returns {ViteConfig} */
function common() {
  return {
    configFile: false,
    root: inProject(),
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: EXTERNAL, target: 'node' },
    define: { 'process.env.NODE_ENV': '"production"' },
  };
}

/** @returns {import('vite').BuildEnvironmentOptions} */
function commonBuild() {
  return {
    ssr: true,
    outDir: outFolder,
    emptyOutDir: true,
    target: 'node20.18',
    sourcemap: false,
    minify: false,
  };
}

function workerSources() {
  return readdirSync(inProject('electron'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.worker.ts'))
    .map((name) => inProject('electron', name));
}
