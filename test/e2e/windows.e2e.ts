/** Folders and windows: the native dialog, recent folders, two windows on one folder, a history from elsewhere, a picture. */

import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { findElectronRuntime } from '../../scripts/electron-runtime.mjs';
import { projectRoot } from '../../scripts/project.mjs';
import { treeOf } from '../helpers/tree.ts';
import {
  chooseMode,
  conversation,
  history,
  historyItems,
  messageBox,
  rewindDialog,
  send,
  test,
  turnIsOver,
} from './open-window.ts';

/** Runs the program as a person does from a shell, to its end. */
function runProgram(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const runtime = findElectronRuntime();
  if (!runtime) throw new Error('No Electron is set up yet.');
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return promisify(execFile)(runtime.executablePath, [...sandbox, projectRoot, ...args], { timeout: 60_000 });
}

test('a folder is opened by the dialog, shared by two windows, and found again among the recent ones', async ({
  open,
  newFolder,
}) => {
  const folder = await newFolder();
  const userDataDir = await newFolder();
  await writeFile(join(folder, 'a.txt'), 'before\n');
  const before = await treeOf(folder);
  const { app, page } = await open({ userDataDir });

  await test.step('through the native dialog', async () => {
    await app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, folder);
    await page.getByRole('button', { name: 'Open folder…' }).click();
    await expect(page.getByRole('heading', { name: basename(folder) })).toBeVisible();
  });

  await test.step('in a second window, by starting the program again', async () => {
    const opened = app.waitForEvent('window');
    await runProgram(['--user-data-dir', userDataDir, '--folder', folder]);
    const second = await opened;
    await expect(messageBox(second)).toBeVisible();

    await chooseMode(page, 'Full');
    await send(page, 'write a.txt: by the agent');
    await turnIsOver(page, 1);
    await turnIsOver(second, 1);
    await expect(conversation(second)).toContainText('write a.txt: by the agent');

    await send(second, '/rewind last');
    await rewindDialog(second).getByRole('button', { name: 'Rewind', exact: true }).click();
    for (const window of [page, second]) {
      await expect(
        conversation(window).getByRole('region', { name: 'Rewound to before turn 1' }),
      ).toBeVisible();
    }
    expect(await treeOf(folder)).toEqual(before);
    await second.close();
  });

  await test.step('and the first window works on when the second one is closed', async () => {
    await conversation(page).getByRole('button', { name: 'Undo rewind' }).click();
    await expect(conversation(page).getByRole('region', { name: 'Rewind undone' })).toBeVisible();
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('by the agent\n');
  });

  await test.step('from the list of recent folders', async () => {
    await page.getByRole('button', { name: 'All folders' }).click();
    const recent = page.getByRole('list', { name: 'Recent folders' });
    await recent.getByRole('button', { name: new RegExp(`^${basename(folder)}`) }).click();
    await expect(historyItems(page)).toHaveCount(3);
  });
  await app.close();

  await test.step('a history from elsewhere is used only after asking; set aside, it is kept', async () => {
    const elsewhere = await open({ folder, userDataDir: await newFolder() });
    const question = elsewhere.page.getByRole('dialog', { name: 'This folder brings a history' });
    await expect(question).toBeVisible();
    await expect(messageBox(elsewhere.page)).toBeHidden();
    await question.getByRole('button', { name: 'Set it aside' }).click();
    await expect(history(elsewhere.page)).toBeVisible();
    await expect(historyItems(elsewhere.page)).toHaveCount(0);
    const names = await readdir(folder);
    const [aside] = names.filter((name) => name.startsWith('.osfoundry.set-aside-'));
    expect(await readdir(join(folder, aside ?? 'missing', 'checkpoints'))).toContain('index.sqlite');
    await elsewhere.app.close();
  });
});

test('the program refuses words it can not read, and saves a picture of the window', async ({
  newFolder,
}) => {
  await expect(runProgram(['--theme', 'pink'])).rejects.toMatchObject({ code: 2 });

  const folder = await newFolder();
  await writeFile(join(folder, 'a.txt'), 'text\n');
  const picture = join(await newFolder(), 'pictures', 'window.png');
  const userDataDir = await newFolder();
  const args = ['--folder', folder, '--user-data-dir', userDataDir, '--screenshot', picture];
  await runProgram([...args, '--theme', 'dark', '--window-size', '900x650']);
  const png = await readFile(picture);
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([900, 650]);
});
