/** The application menu: what acts on a folder is done by the window itself, so the menu only tells it. */

import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { AppEvent } from '../../shared/ipc.ts';

type MenuCommand = Extract<AppEvent, { type: 'menu' }>['command'];

export interface MenuActions {
  /** To the window in front. */
  tellWindow(command: MenuCommand): void;
  newWindow(): void;
}

export function installMenu(actions: MenuActions, platform: NodeJS.Platform): void {
  const item = (label: string, accelerator: string, command: MenuCommand): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => actions.tellWindow(command),
  });
  const isMac = platform === 'darwin';
  const settings = item('Settings…', 'CmdOrCtrl+,', 'settings');
  const appMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [appMenu] : []),
      {
        label: 'File',
        submenu: [
          item('Open Folder…', 'CmdOrCtrl+O', 'open-folder'),
          { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow() },
          { type: 'separator' },
          ...(isMac ? [] : [settings, { type: 'separator' } as const]),
          { role: 'close' },
          ...(isMac ? [] : [{ role: 'quit' } as const]),
        ],
      },
      { role: 'editMenu' },
      {
        label: 'Chat',
        submenu: [
          item('Rewind…', 'CmdOrCtrl+Shift+Backspace', 'rewind'),
          item('Show or Hide History', 'CmdOrCtrl+Shift+H', 'toggle-history'),
        ],
      },
      {
        label: 'View',
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
        ],
      },
      { role: 'windowMenu' },
    ]),
  );
}
