/** The IPC port of a running app. */

import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { Caller, IpcPort } from './port.ts';

export const electronPort: IpcPort = {
  handle: (channel, listener) => {
    // As text: the bridge into the page copies objects property by property, which would hold the window up for a long
    // history; a text it copies at once.
    ipcMain.handle(channel, async (event, request: unknown) =>
      JSON.stringify(await listener(callerOf(event), request)),
    );
  },
};

function callerOf(event: IpcMainInvokeEvent): Caller {
  const frame = event.senderFrame;
  return {
    windowId: event.sender.id,
    frame: frame === null ? null : { isMainFrame: frame.parent === null, origin: frame.origin },
  };
}
