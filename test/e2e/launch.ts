/** Opens the built app as a person would, with settings of its own; the caller closes it. */
import { type ElectronApplication, _electron as electron } from '@playwright/test';
import { findElectronRuntime } from '../../scripts/electron-runtime.mjs';
import { projectRoot } from '../../scripts/project.mjs';

export interface LaunchOptions {
  /** The folder to open; the start screen shows without one. */
  readonly folder?: string;
  /** Where this run keeps its settings; give each test its own. */
  readonly userDataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function launchApp(options: LaunchOptions): Promise<ElectronApplication> {
  const runtime = findElectronRuntime();
  if (!runtime) throw new Error('No Electron is set up yet. Run the tests with "npm run test:e2e".');
  const args = [projectRoot, '--user-data-dir', options.userDataDir];
  if (options.folder !== undefined) args.push('--folder', options.folder);
  return electron.launch({
    executablePath: runtime.executablePath,
    args: [...args, ...(options.args ?? [])],
    env: { ...inheritedEnv(), ...options.env },
    timeout: 60_000,
  });
}

function inheritedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
