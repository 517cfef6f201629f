/** Builds the process that is to be killed, once and as plain JavaScript (it starts ten times as fast), and runs it. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const PROJECT = join(import.meta.dirname, '../..');
/** Provided by the installation; the bundle must stand below the project to find it. */
const NATIVE = ['better-sqlite3'];

export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KilledChild {
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  readonly remove: () => void;
}

export async function buildKilledChild(): Promise<KilledChild> {
  mkdirSync(join(PROJECT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(PROJECT, '.cache', 'killed-child-'));
  await build({
    configFile: false,
    root: PROJECT,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: NATIVE, target: 'node' },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20.18',
      minify: false,
      rolldownOptions: {
        input: {
          'rewind-child': join(import.meta.dirname, 'rewind-child.ts'),
          'worker-scan': join(PROJECT, 'electron/workspace/scan/scan.worker.ts'),
        },
        external: NATIVE,
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name]-[hash].mjs' },
      },
    },
  });
  return {
    run: (...args) => run(join(folder, 'rewind-child.mjs'), args),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function run(script: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own: it kills all that is in its group.
    const child = spawn(process.execPath, [script, ...args], { detached: true });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('error', reject);
    child.once('close', (_code, signal) => resolve({ signal, stdout, stderr }));
  });
}
