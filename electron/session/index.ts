/** A session: one folder's chat, its history, and every way back. */

export { openSession } from './session.ts';
export type {
  OpenSessionOptions,
  RewindRequest,
  SendOptions,
  Session,
  ToolCallSummary,
  TurnResult,
} from './types.ts';
