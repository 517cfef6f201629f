/** The native dialogs: what they answer comes from the person, and from no page. */

import { type BrowserWindow, dialog, type MessageBoxOptions, type OpenDialogOptions } from 'electron';

/** The folder that the person chose, or null. */
export async function chooseFolder(window: BrowserWindow | null): Promise<string | null> {
  const options: OpenDialogOptions = { properties: ['openDirectory', 'createDirectory'] };
  const answer = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return answer.canceled ? null : (answer.filePaths[0] ?? null);
}

export async function confirmLink(window: BrowserWindow | null, url: string): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: 'question',
    buttons: ['Open', 'Cancel'],
    // Enter alone opens nothing.
    defaultId: 1,
    cancelId: 1,
    message: 'Open this link from the agent in your browser?',
    detail: url,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 0;
}

export async function saySetAside(messages: readonly string[]): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    message: "Some of the app's own files could not be read",
    detail: messages.join('\n'),
  });
}
