/** Paths that a model, a hostile folder or a tampered index may bring. */

import type { ErrorCode } from '../../shared/errors.ts';

const OUTSIDE = 'path-outside-workspace';
const RESERVED = 'path-reserved';
const INVALID = 'path-invalid';

/** Refused by what they are, on every system. */
export const REFUSED: readonly (readonly [path: string, code: ErrorCode])[] = [
  // absolute
  ['/etc/passwd', OUTSIDE],
  ['/', OUTSIDE],
  ['//server/share/x', OUTSIDE],
  ['/a.txt', OUTSIDE],
  // leading out
  ['..', OUTSIDE],
  ['../outside/secret.txt', OUTSIDE],
  ['../../../../../../etc/passwd', OUTSIDE],
  ['d/../../outside/secret.txt', OUTSIDE],
  ['d/..', OUTSIDE],
  ['./../outside/secret.txt', OUTSIDE],
  ['d/./../../outside', OUTSIDE],
  ['missing/../../outside/x', OUTSIDE],
  ['a.txt/../../outside/x', OUTSIDE],
  // no path at all
  ['', INVALID],
  ['.', INVALID],
  ['./', INVALID],
  ['././.', INVALID],
  ['a\0.txt', INVALID],
  ['\0', INVALID],
  ['d/\0/../../outside', INVALID],
  ['a\uD800.txt', INVALID],
  ['\uDC00', INVALID],
  ['n'.repeat(5000), INVALID],
  [`${'d/'.repeat(3000)}x`, INVALID],
  ['../'.repeat(1_000_000), INVALID],
  // git's data and our own
  ['.git', RESERVED],
  ['.git/config', RESERVED],
  ['.GIT/config', RESERVED],
  ['.gIt/hooks/post-checkout', RESERVED],
  ['./.git/config', RESERVED],
  ['.//.git//config', RESERVED],
  ['d/.git/config', RESERVED],
  ['missing/.git', RESERVED],
  ['.osfoundry', RESERVED],
  ['.osfoundry/checkpoints/index.sqlite', RESERVED],
  ['.OSFoundry/x', RESERVED],
  ['d/.osfoundry', RESERVED],
  // characters that some disks drop
  ['.g\u200cit/config', RESERVED],
  ['.git\u200d/config', RESERVED],
  ['\u200e.git/config', RESERVED],
  ['.gi\u202et/config', RESERVED],
  ['.git\ufeff/config', RESERVED],
  ['.osfoun\u206adry/x', RESERVED],
];

/** Refused by what is on the disk: a symlink in the parents, whatever it leads to. */
export const THROUGH_LINKS: readonly (readonly [path: string, code: ErrorCode])[] = [
  ['out/secret.txt', OUTSIDE],
  ['out/new.txt', OUTSIDE],
  ['out/deep/er/new.txt', OUTSIDE],
  ['d/up/outside/secret.txt', OUTSIDE],
  ['absolute/secret.txt', OUTSIDE],
  ['inside/b.txt', OUTSIDE],
  ['to-git/config', OUTSIDE],
  ['loop/x', OUTSIDE],
  ['dangling/x', OUTSIDE],
  ['chain/secret.txt', OUTSIDE],
  ['secret-link/x', OUTSIDE],
  ['n'.repeat(300), INVALID],
];

/** Refused by name where Windows would understand them; elsewhere ordinary names, which stay inside. */
export const WINDOWS_ONLY: readonly (readonly [path: string, code: ErrorCode])[] = [
  ['C:\\Windows\\x', OUTSIDE],
  ['c:x', OUTSIDE],
  ['C:/x', OUTSIDE],
  ['\\\\server\\share\\x', OUTSIDE],
  ['\\\\?\\C:\\x', OUTSIDE],
  ['\\\\.\\PhysicalDrive0', OUTSIDE],
  ['\\x', OUTSIDE],
  ['..\\outside\\secret.txt', OUTSIDE],
  ['d\\..\\..\\outside', OUTSIDE],
  ['.git\\config', RESERVED],
  ['d\\.GIT\\config', RESERVED],
  ['CON', INVALID],
  ['nul', INVALID],
  ['d/Aux.txt', INVALID],
  ['com1', INVALID],
  ['LPT9.log', INVALID],
  ['com¹', INVALID],
  ['conin$', INVALID],
  ['a.txt:stream', INVALID],
  ['a.txt::$DATA', INVALID],
  ['.git::$INDEX_ALLOCATION', INVALID],
  ['a.txt.', INVALID],
  ['a.txt ', INVALID],
  ['.git.', INVALID],
  ['.git ', INVALID],
  ['d./x', INVALID],
  ['... ', INVALID],
];

/** Odd, but names like any other on this system. */
export const ORDINARY = [
  '...',
  '..a',
  'a..',
  '~',
  '~/x',
  '$HOME',
  '%2e%2e/x',
  '..%2fx',
  'file:',
  '-rf',
  'a\nb',
  'a\rb',
  '\t',
  '\u001b[31mred',
  'a\\b',
  ' ',
  '.gitignore',
  '.github/x',
  'git',
  '.git2',
  'é',
  'e\u0301',
  '\u202egpj.exe',
  '．．',
  '／etc',
  '😀',
  '*?"<>|',
];
