/** Runs the IPC room without Electron: a port in memory, and a session and services that record what reaches them. */

import type { Caller } from '../../electron/ipc/index.ts';
import { allHandlers, registerHandlers, type Services } from '../../electron/ipc/index.ts';
import type { Session } from '../../electron/session/types.ts';
import type { Result } from '../../shared/errors.ts';
import { asTurnNumber, asWorkspaceId, type RelPath } from '../../shared/ids.ts';
import type { IpcChannel } from '../../shared/ipc.ts';

export const ORIGIN = 'app://bundle';
export const WINDOW_ID = 1;
const OTHER_WINDOW_ID = 2;
/** Ours, without a folder. */
export const EMPTY_WINDOW_ID = 3;
export const WORKSPACE_ID = 'workspace-of-window-1';
export const OTHER_WORKSPACE_ID = 'workspace-of-window-2';

export const trusted: Caller = { windowId: WINDOW_ID, frame: { isMainFrame: true, origin: ORIGIN } };

export interface IpcHarness {
  readonly channels: readonly string[];
  /** Names and arguments of everything that got past the gates. */
  readonly reached: { readonly name: string; readonly args: readonly unknown[] }[];
  readonly problems: { readonly channel: string; readonly error: unknown }[];
  call(channel: string, request: unknown, caller?: Caller): Promise<Result<unknown>>;
}

export interface HarnessOptions {
  readonly contain: (path: string) => Promise<RelPath>;
  /** Instead of an answer, the session throws this. */
  readonly failWith?: Error;
}

export function ipcHarness({ contain, failWith }: HarnessOptions): IpcHarness {
  const reached: IpcHarness['reached'] = [];
  const problems: IpcHarness['problems'] = [];
  const recorder = <T extends object>(area: string): T =>
    new Proxy({} as T, {
      get: (_target, name) => {
        const key = `${area}.${String(name)}`;
        return (...args: unknown[]): unknown => {
          reached.push({ name: key, args });
          if (failWith !== undefined) throw failWith;
          // `send` tells the turn's number while the turn still runs.
          if (key === 'session.send') {
            (args[2] as (turn: unknown) => void)(asTurnNumber(7));
            return new Promise(() => undefined);
          }
          return `answer of ${key}`;
        };
      },
    });
  const session = recorder<Session>('session');
  const services: Services = {
    app: recorder('app'),
    folders: recorder('folders'),
    agents: recorder('agents'),
  };
  const listeners = new Map<string, (caller: Caller, request: unknown) => Promise<unknown>>();
  const workspaces = new Map([
    [WINDOW_ID, asWorkspaceId(WORKSPACE_ID)],
    [OTHER_WINDOW_ID, asWorkspaceId(OTHER_WORKSPACE_ID)],
  ]);
  registerHandlers(
    { handle: (channel, listener) => listeners.set(channel, listener) },
    {
      origin: ORIGIN,
      isTrusted: (windowId) => workspaces.has(windowId) || windowId === EMPTY_WINDOW_ID,
      workspaceOf: (windowId) => {
        const workspaceId = workspaces.get(windowId);
        return workspaceId === undefined ? null : { workspaceId, session, contain };
      },
      onProblem: (channel: IpcChannel, error: unknown) => problems.push({ channel, error }),
    },
    allHandlers(services),
  );
  return {
    channels: [...listeners.keys()],
    reached,
    problems,
    call: async (channel, request, caller = trusted) => {
      const listener = listeners.get(channel);
      if (listener === undefined) throw new Error(`Nothing handles ${channel}.`);
      // What a window sends arrives as a structured clone.
      return (await listener(caller, structuredClone(request))) as Result<unknown>;
    },
  };
}
