/** Errors that a person may see: a fixed code, one full sentence, and what it is about. */

export const ERROR_CODES = [
  // paths
  'path-outside-workspace',
  'path-reserved',
  'path-invalid',
  'path-not-found',
  'path-exists',
  'path-wrong-kind',
  'path-changed',
  'not-text',
  'edit-no-match',
  'edit-not-unique',
  // folder
  'folder-refused',
  'folder-not-found',
  'folder-read-only',
  // store
  'blob-damaged',
  'blob-missing',
  'store-newer-format',
  'store-locked',
  'store-damaged',
  'store-untrusted',
  'store-unknown',
  'disk-full',
  'io-failed',
  // turns and rewinds
  'turn-not-found',
  'turn-running',
  'no-turn-running',
  'already-rewound',
  'nothing-to-rewind',
  'nothing-to-redo',
  'plan-stale',
  'conflicts',
  'rewind-failed',
  // agents and tools
  'tool-unknown',
  'tool-bad-input',
  'tool-denied',
  'command-failed',
  'command-timeout',
  'agent-unavailable',
  'agent-failed',
  'not-authenticated',
  // ipc and the rest
  'ipc-untrusted-sender',
  'ipc-bad-input',
  'cancelled',
  'usage',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What crosses a process boundary: Electron passes on only `message` of an Error, so errors travel as data. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  /** One full sentence: what happened and what to do. */
  readonly message: string;
  /** The path within the folder that it is about, with `/`. */
  readonly path?: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorInfo };

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly path?: string;
}

/** The one error class of the app; anything else that is thrown is a bug or comes from the system. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly path: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.path = options.path;
  }
}

export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof AppError) {
    return error.path === undefined
      ? { code: error.code, message: error.message }
      : { code: error.code, message: error.message, path: error.path };
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
