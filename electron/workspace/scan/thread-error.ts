/** Errors on their way between threads: of a system error only the code tells what it was. */

export interface ThreadError {
  readonly message: string;
  readonly code: string | null;
}

export function describeError(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { message: String(error), code: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { message: error.message, code };
}

export const errorOf = ({ message, code }: ThreadError): Error =>
  Object.assign(new Error(message), code === null ? {} : { code });
