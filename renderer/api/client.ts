/** Talks to the main process; nothing else in the page touches `window.rewind`. */

import type { ErrorCode, Result } from '../../shared/errors.ts';
import type { AppEvent, Bridge, IpcChannel, IpcOutput, IpcRequest } from '../../shared/ipc.ts';

declare global {
  interface Window {
    readonly rewind: Bridge;
  }
}

/** A call that was refused or failed: its message is a full sentence for people. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Resolves with the answer; throws ClientError. */
export async function call<C extends IpcChannel>(channel: C, request: IpcRequest<C>): Promise<IpcOutput<C>> {
  const text = await window.rewind.invoke(channel, request).catch((error: unknown) => {
    throw new ClientError('internal', messageOf(error));
  });
  const result: Result<IpcOutput<C>> = JSON.parse(text);
  if (result.ok) return result.value;
  throw new ClientError(result.error.code, result.error.message);
}

/** Returns the unsubscribe function. */
export function onEvent(listener: (event: AppEvent) => void): () => void {
  return window.rewind.onEvent(listener);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
