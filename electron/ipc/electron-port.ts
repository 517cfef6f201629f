/** The IPC port of a running app. */

import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { Caller, IpcPort } from './port.ts';

export const electronPort: IpcPort = {
  handle: (channel, listener) => {
    ipcMain.handle(channel, (event, request: unknown) => listener(callerOf(event), request));
  },
};

function callerOf(event: IpcMainInvokeEvent): Caller {
  const frame = event.senderFrame;
  return {
    windowId: event.sender.id,
    frame: frame === null ? null : { isMainFrame: frame.parent === null, origin: frame.origin },
  };
}
