/**
 * Registers every channel of the table in one place. Each call passes the same gates in the same order, before its
 * handler's body runs: trusted window, main frame, our origin, size, schema, the window's own folder, containment.
 */

import { AppError, type Result, toErrorInfo } from '../../shared/errors.ts';
import { type IpcChannel, type IpcInput, type IpcOutput, ipcTable } from '../../shared/ipc.ts';
import { containPaths, speaksOfFolder } from './contain-paths.ts';
import type { CallOf, Handlers, OpenWorkspace } from './handlers.ts';
import type { Caller, IpcPort } from './port.ts';
import { sizeProblem } from './request-size.ts';

export interface Gate {
  /** Pages of the app come from here. */
  readonly origin: string;
  isTrusted(windowId: number): boolean;
  workspaceOf(windowId: number): OpenWorkspace | null;
  /** Told of refusals and of failures that are bugs; never of what was sent. */
  onProblem(channel: IpcChannel, error: unknown): void;
}

export function registerHandlers(port: IpcPort, gate: Gate, handlers: Handlers): void {
  for (const channel of Object.keys(ipcTable) as IpcChannel[]) {
    port.handle(channel, (caller, request) => answer(channel, caller, request, gate, handlers));
  }
}

async function answer<C extends IpcChannel>(
  channel: C,
  caller: Caller,
  request: unknown,
  gate: Gate,
  handlers: Handlers,
): Promise<Result<IpcOutput<C>>> {
  try {
    mustBeTrusted(channel, caller, gate);
    const input = await mustFit(channel, request);
    const call = await enterWorkspace(channel, input, caller.windowId, gate);
    return { ok: true, value: await handlers[channel](input, call) };
  } catch (error) {
    const info = toErrorInfo(error);
    if (info.code === 'internal' || info.code.startsWith('ipc-')) gate.onProblem(channel, error);
    return { ok: false, error: info };
  }
}

function mustBeTrusted(channel: string, { windowId, frame }: Caller, gate: Gate): void {
  if (frame?.isMainFrame === true && frame.origin === gate.origin && gate.isTrusted(windowId)) return;
  throw new AppError('ipc-untrusted-sender', `The call of ${channel} did not come from a window of the app.`);
}

async function mustFit<C extends IpcChannel>(channel: C, request: unknown): Promise<IpcInput<C>> {
  const problem = sizeProblem(request);
  if (problem !== null) throw badInput(channel, problem);
  const parsed = await ipcTable[channel].input.safeParseAsync(request);
  if (parsed.success) return parsed.data as IpcInput<C>;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw badInput(channel, `${where === '' ? '' : `${where}: `}${issue?.message ?? 'it has the wrong shape'}`);
}

/** A call may only speak of the folder that is open in the very window it comes from. */
async function enterWorkspace<C extends IpcChannel>(
  channel: C,
  input: IpcInput<C>,
  windowId: number,
  gate: Gate,
): Promise<CallOf<C>> {
  if (!speaksOfFolder(input)) return { windowId } as CallOf<C>;
  const workspace = gate.workspaceOf(windowId);
  if (workspace === null || workspace.workspaceId !== input.workspaceId) {
    throw badInput(channel, 'its folder is not open in this window');
  }
  await containPaths(input, workspace);
  return { windowId, session: workspace.session } as CallOf<C>;
}

const badInput = (channel: string, why: string): AppError =>
  new AppError('ipc-bad-input', `The call of ${channel} was refused: ${why}.`);
