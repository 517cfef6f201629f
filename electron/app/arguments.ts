/** Reads the words after the program's name, as the window understands them. */

import { resolve } from 'node:path';
import { AppError } from '../../shared/errors.ts';

export interface WindowArguments {
  readonly folder: string | null;
  readonly userDataDir: string | null;
  /** Save a picture of the window to this file and quit. */
  readonly screenshot: string | null;
  readonly theme: 'light' | 'dark' | null;
  readonly windowSize: { readonly width: number; readonly height: number } | null;
}

const OPTIONS = ['--folder', '--user-data-dir', '--screenshot', '--theme', '--window-size'] as const;
type Option = (typeof OPTIONS)[number];

/** Throws AppError `usage`. Words that are not ours are left to Chromium, which has hundreds of switches. */
export function parseWindowArguments(words: readonly string[], cwd: string): WindowArguments {
  const given = new Map<Option, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const option = OPTIONS.find((name) => word === name || word.startsWith(`${name}=`));
    if (option === undefined) continue;
    // Both forms: `--folder DIR` is what people type, `--user-data-dir=DIR` what Chromium's own tools pass.
    const value = word === option ? words[++index] : word.slice(option.length + 1);
    if (value === undefined || value === '') throw new AppError('usage', `${option} needs a value.`);
    given.set(option, value);
  }
  const pathOf = (option: Option): string | null => {
    const value = given.get(option);
    return value === undefined ? null : resolve(cwd, value);
  };
  return {
    folder: pathOf('--folder'),
    userDataDir: pathOf('--user-data-dir'),
    screenshot: pathOf('--screenshot'),
    theme: themeOf(given.get('--theme')),
    windowSize: sizeOf(given.get('--window-size')),
  };
}

function themeOf(text: string | undefined): 'light' | 'dark' | null {
  if (text === undefined) return null;
  if (text === 'light' || text === 'dark') return text;
  throw new AppError('usage', `--theme takes light or dark, not "${text}".`);
}

function sizeOf(text: string | undefined): WindowArguments['windowSize'] {
  if (text === undefined) return null;
  const match = /^(\d{3,4})[x,](\d{3,4})$/.exec(text);
  if (match === null) throw new AppError('usage', `--window-size takes e.g. 1280x800, not "${text}".`);
  return { width: Number(match[1]), height: Number(match[2]) };
}
