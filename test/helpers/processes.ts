/** Looks at processes of the machine. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { vi } from 'vitest';

/** A process that has ended and whose parent has not noticed yet does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    // Ended since, or a platform without /proc.
    return process.platform !== 'linux';
  }
}

/** The id that a script writes into a file, once it is there as a whole line. */
export const pidIn = (file: string): Promise<number> =>
  vi.waitFor(
    async () => {
      const text = await readFile(file, 'utf8');
      if (!text.endsWith('\n')) throw new Error(`${file} is not written yet`);
      return Number(text);
    },
    { timeout: 20_000, interval: 10 },
  );
