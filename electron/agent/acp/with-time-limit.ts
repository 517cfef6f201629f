/** Ends a wait for an agent that hangs, e.g. because it wants to be logged in and can't say so. */

import { AppError } from '../../../shared/errors.ts';

export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('agent-unavailable', message)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
