/** Parses untrusted path text to a RelPath, by shape alone; what is on disk is checked by containment. */

import { AppError } from './errors.ts';
import type { RelPath } from './ids.ts';

/** Compared without case: on case-folding file systems `.GIT` is `.git`. Refused at any depth (submodules, nested folders). */
const RESERVED_NAMES = new Set(['.git', '.osfoundry']);

/** Names that open a device on Windows whatever their extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

export interface RelPathRules {
  /** Also split at `\`, and refuse drives, device names, alternate streams, trailing dots and spaces. */
  readonly windows: boolean;
}

/** No system takes longer ones, and what is asked for may come from a model. */
const LONGEST_PATH = 4096;

const POSIX_RULES: RelPathRules = { windows: false };

/**
 * Throws AppError `path-outside-workspace` (absolute, drive, UNC, `..`), `path-reserved` (`.git`, `.osfoundry`) or
 * `path-invalid` (empty, too long, not Unicode, NUL, device name, alternate stream, trailing dot or space on Windows).
 * `./a//b` is accepted as `a/b`.
 */
export function parseRelPath(text: string, rules: RelPathRules = POSIX_RULES): RelPath {
  const refuse = (code: 'path-outside-workspace' | 'path-reserved' | 'path-invalid', why: string): never => {
    const shown = text.length > LONGEST_PATH ? `${text.slice(0, 80)}…` : text;
    throw new AppError(code, `The path ${JSON.stringify(shown)} ${why}.`, { path: shown });
  };
  if (text.length > LONGEST_PATH) refuse('path-invalid', 'is too long');
  // Half of a character: the file would get another name than the history has.
  if (/\p{Surrogate}/u.test(text)) refuse('path-invalid', 'is not valid Unicode');
  if (text.includes('\0')) refuse('path-invalid', 'contains a NUL character');
  const unified = rules.windows ? text.replaceAll('\\', '/') : text;
  if (unified.startsWith('/'))
    refuse('path-outside-workspace', 'is absolute; give it relative to the folder');
  if (rules.windows && /^[a-z]:/i.test(unified)) refuse('path-outside-workspace', 'names a drive');
  const components = unified.split('/').filter((part) => part !== '' && part !== '.');
  if (components.length === 0) refuse('path-invalid', 'names no file inside the folder');
  for (const component of components) {
    if (component === '..') refuse('path-outside-workspace', 'leads out of the folder');
    if (isReservedName(component)) refuse('path-reserved', `is inside ${component}, which is never changed`);
    if (rules.windows) {
      if (WINDOWS_DEVICE.test(component)) refuse('path-invalid', 'is a device name');
      if (component.includes(':')) refuse('path-invalid', 'names an alternate stream');
      if (/[. ]$/.test(component)) refuse('path-invalid', 'has a name that ends in a dot or a space');
    }
  }
  return components.join('/') as RelPath;
}

/** Whether a single name is never read into history and never written: git's data and our own. */
export function isReservedName(name: string): boolean {
  // Default-ignorable characters are dropped because HFS+ folds `.g\u200cit` to `.git`.
  return RESERVED_NAMES.has(
    name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase(),
  );
}

/** The parents of a path, outermost first: `a/b/c` gives `a`, `a/b`. */
export function parentsOf(path: RelPath): RelPath[] {
  const components = path.split('/');
  return components.slice(1).map((_, index) => components.slice(0, index + 1).join('/') as RelPath);
}

/** How many components a path has. */
export const depthOf = (path: RelPath): number => path.split('/').length;
