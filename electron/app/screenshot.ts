/** Saves a picture of a window once it is drawn: a person on a server sees something real, and so does the README. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import type { IpcActivity } from './ipc-activity.ts';

const QUIET_MS = 600;
const LIMIT_MS = 30_000;

export async function savePicture(window: BrowserWindow, file: string, activity: IpcActivity): Promise<void> {
  const contents = window.webContents;
  const deadlineMs = Date.now() + LIMIT_MS;
  while (contents.isLoading() || !window.isVisible() || !activity.isQuiet(QUIET_MS)) {
    if (Date.now() > deadlineMs) throw new Error('The window did not come to rest in time.');
    await delay(50);
  }
  const isDrawn: unknown = await contents.executeJavaScript(
    `document.fonts.ready
      .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      .then(() => document.body.innerText.trim() !== '')`,
  );
  if (isDrawn !== true) throw new Error('The window stayed empty.');
  const picture = await contents.capturePage();
  if (picture.isEmpty()) throw new Error('The picture of the window is empty.');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, picture.toPNG());
}
