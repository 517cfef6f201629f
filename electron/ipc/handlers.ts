/** What a handler is given, and the type that makes the compiler ask for a handler of every channel. */

import type { RelPath, WorkspaceId } from '../../shared/ids.ts';
import type { IpcChannel, IpcInput, IpcOutput } from '../../shared/ipc.ts';
import type { Session } from '../session/types.ts';

/** The folder that is open in a window. */
export interface OpenWorkspace {
  readonly workspaceId: WorkspaceId;
  readonly session: Session;
  /** Parses and contains path text against the folder as it is on disk now. */
  contain(path: string): Promise<RelPath>;
}

export interface WindowCall {
  readonly windowId: number;
}

export interface WorkspaceCall extends WindowCall {
  readonly session: Session;
}

/** Calls that carry a workspace id get that workspace's session; the others only know their window. */
export type CallOf<C extends IpcChannel> =
  IpcInput<C> extends { readonly workspaceId: WorkspaceId } ? WorkspaceCall : WindowCall;

export type Handler<C extends IpcChannel> = (
  input: IpcInput<C>,
  call: CallOf<C>,
) => IpcOutput<C> | Promise<IpcOutput<C>>;

export type Handlers = { readonly [C in IpcChannel]: Handler<C> };

/** The handlers of one area: `HandlersOf<'session'>` has every `session:` channel. */
export type HandlersOf<Area extends string> = {
  readonly [C in Extract<IpcChannel, `${Area}:${string}`>]: Handler<C>;
};
