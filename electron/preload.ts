/** Gives the page `window.rewind`, and nothing else: calls on channels of the table, and the events pushed back. */

import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { AppEvent, Bridge } from '../shared/ipc.ts';
import { IPC_CHANNELS, IPC_EVENT_CHANNEL } from '../shared/ipc-channels.ts';

const bridge: Bridge = {
  invoke: async (channel, request) => {
    if (!IPC_CHANNELS.has(channel)) {
      const error = { code: 'ipc-bad-input', message: `There is no channel "${channel}".` };
      return JSON.stringify({ ok: false, error });
    }
    return ipcRenderer.invoke(channel, request);
  },
  onEvent: (listener) => {
    // The page never gets Electron's event object: it would carry the sender.
    const relay = (_event: IpcRendererEvent, event: AppEvent) => listener(event);
    ipcRenderer.on(IPC_EVENT_CHANNEL, relay);
    return () => ipcRenderer.removeListener(IPC_EVENT_CHANNEL, relay);
  },
};

contextBridge.exposeInMainWorld('rewind', bridge);
