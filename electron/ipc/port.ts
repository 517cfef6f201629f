/** The little of Electron that the IPC room needs, so that its contract runs in tests without a window. */

/** Who calls, read at the moment the call arrives: after an await the frame may be gone or show another page. */
export interface Caller {
  /** The id of the window's web contents. */
  readonly windowId: number;
  /** null when the frame is gone already. */
  readonly frame: { readonly isMainFrame: boolean; readonly origin: string } | null;
}

export interface IpcPort {
  handle(channel: string, listener: (caller: Caller, request: unknown) => Promise<unknown>): void;
}
