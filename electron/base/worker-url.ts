/**
 * Starts a worker thread from its source file, be it as TypeScript (tests, benchmarks) or from the bundle.
 *
 * The build makes `dist/electron/worker-NAME.mjs` of each `electron/.../NAME.worker.ts`, and puts all code of the main
 * process into that same folder; so `./worker-NAME.mjs` is right from wherever this function ends up in the bundle.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Usage: `startWorker(new URL('./hash.worker.ts', import.meta.url), { workerData })`.
 * Each worker file needs a base name of its own.
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  if (import.meta.url.endsWith('.ts')) {
    // Node cannot read TypeScript by itself yet, and a worker takes no loader over from a test runner.
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
    const api = new URL('./esm/api/index.mjs', tsx).href;
    const register = `import { register } from ${JSON.stringify(api)}; register();`;
    const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
    return new Worker(source, { ...options, execArgv });
  }
  return new Worker(bundledWorkerUrl(source), options);
}

function bundledWorkerUrl(source: URL): URL {
  const name =
    source.pathname
      .split('/')
      .at(-1)
      ?.replace(/\.worker\.ts$/, '') ?? '';
  return new URL(`./worker-${name}.mjs`, import.meta.url);
}
