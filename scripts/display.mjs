// Lends a virtual display to programs that open windows, where the machine has none.
import { spawn } from 'node:child_process';
import { SetupError } from './messages.mjs';

const SCREEN = '1600x1000x24';
const START_TIMEOUT_MS = 20_000;

/**
 * @template T
 * @param {(env: NodeJS.ProcessEnv, isVirtual: boolean) => Promise<T>} work gets the environment for programs with a window
 * @returns {Promise<T>}
 */
export async function withDisplay(work) {
  const needsVirtual = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  if (!needsVirtual) return work(process.env, false);
  const { display, stop } = await startVirtualDisplay();
  process.on('exit', stop);
  try {
    return await work({ ...process.env, DISPLAY: display }, true);
  } finally {
    process.off('exit', stop);
    await stop();
  }
}

/** @returns {Promise<{display: string, stop: () => Promise<void>}>} */
function startVirtualDisplay() {
  return new Promise((resolve, reject) => {
    // The server picks a free display number and tells it through descriptor 3, once it accepts connections. It has a
    // process group of its own: Ctrl+C must reach the app first, and the server only after it.
    const server = spawn(
      'Xvfb',
      ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-noreset'],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    const stop = () =>
      new Promise((/** @type {(value: void) => void} */ ended) => {
        server.once('exit', () => ended());
        server.kill();
      });
    const timer = setTimeout(() => fail('it did not start in time'), START_TIMEOUT_MS);
    let complaint = '';
    /** @param {string} why */
    function fail(why) {
      clearTimeout(timer);
      server.kill();
      reject(new SetupError(`No display, and the virtual display Xvfb failed: ${why} ${complaint}`.trim()));
    }
    server.stderr?.setEncoding('utf8').on('data', (text) => {
      complaint += text;
    });
    server.on('error', (error) => fail(error.message));
    server.on('exit', () => fail('it ended.'));
    server.stdio[3]?.once('data', (number) => {
      clearTimeout(timer);
      resolve({ display: `:${String(number).trim()}`, stop });
    });
  });
}
