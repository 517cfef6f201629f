/** A log file in the app's own data that does not grow without end. It gets events and error codes, never content or keys. */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Clock } from '../base/clock.ts';

const MAX_BYTES = 1024 * 1024;
const OLDER_FILES = 2;

export interface Log {
  event(area: string, what: string): void;
  problem(area: string, error: unknown): void;
}

export function openLog(path: string, clock: Clock): Log {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let bytes = sizeOf(path);
  // Written at once: the lines that matter most are the last ones before a crash.
  const write = (line: string): void => {
    const text = `${new Date(clock.nowMs()).toISOString()} ${line.replaceAll(/[\r\n]+/g, ' ⏎ ')}\n`;
    try {
      if (bytes + text.length > MAX_BYTES) {
        rotate(path);
        bytes = 0;
      }
      appendFileSync(path, text, { mode: 0o600 });
      bytes += Buffer.byteLength(text);
    } catch {
      // A full disk must not take the app down with its log.
    }
  };
  return {
    event: (area, what) => write(`${area}: ${what}`),
    problem: (area, error) => write(`${area}: ${described(error)}`),
  };
}

function rotate(path: string): void {
  for (let age = OLDER_FILES; age >= 1; age -= 1) {
    const from = age === 1 ? path : `${path}.${age - 1}`;
    if (sizeOf(from) > 0) renameSync(from, `${path}.${age}`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** An expected failure is named by its code alone: its sentence may quote what a person or a model wrote. */
function described(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
