/** The whole story once, in the real window: open, chat, look, go back, quit in between, undo. */

import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { treeOf } from '../helpers/tree.ts';
import {
  allowOnce,
  chooseMode,
  conversation,
  historyItems,
  messageBox,
  plannedChanges,
  rewindDialog,
  send,
  test,
  turnIsOver,
  turnOptions,
} from './open-window.ts';

async function writeProject(folder: string): Promise<void> {
  await mkdir(join(folder, 'junk'));
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'notes.md'), 'an old note\r\nwith two lines\r\n');
  await writeFile(join(folder, 'styles.css'), 'body { color: red; }\n');
  await writeFile(join(folder, 'junk', 'old.txt'), 'keep me\n');
  await writeFile(join(folder, 'data.bin'), Buffer.from([0, 255, 1, 254, 10, 13, 0]));
  await writeFile(join(folder, '.env'), 'API_URL=https://example.org\n', { mode: 0o600 });
  await writeFile(join(folder, '.gitignore'), '.env\n');
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\necho hi\n');
  await chmod(join(folder, 'run.sh'), 0o755);
  await symlink('styles.css', join(folder, 'link'));
}

const FIRST = 'write docs/plan.md: one\nreplace "old" with "new" in notes.md\ndelete junk/old.txt';
const SECOND = [
  "run: sed -i 's/red/blue/' styles.css && rm .env && chmod 644 run.sh && ln -sf notes.md link",
  'run: mkdir -p made/deep && echo x > made/deep/new.txt && mv data.bin moved.bin && rmdir empty',
  'write notes.md: replaced',
].join('\n');

test('a person opens a folder, chats, rewinds, quits, and undoes the rewind', async ({ open, newFolder }) => {
  const folder = await newFolder();
  const userDataDir = await newFolder();
  await writeProject(folder);
  const before = await treeOf(folder);
  const { app, page } = await open({ folder, userDataDir });

  await test.step('the agent asks before each change, and History shows what it did', async () => {
    await send(page, FIRST);
    for (let call = 0; call < 3; call += 1) await allowOnce(page);
    await turnIsOver(page, 1);
    const newest = historyItems(page).first();
    await expect(newest).toContainText('write docs/plan.md: one');
    for (const name of ['plan.md', 'notes.md', 'old.txt']) await expect(newest).toContainText(name);
  });
  const afterFirst = await treeOf(folder);
  expect(afterFirst).not.toEqual(before);

  await test.step('in full mode it does not ask, and commands are covered too', async () => {
    await chooseMode(page, 'Full');
    await send(page, SECOND);
    await turnIsOver(page, 2);
    const newest = historyItems(page).first();
    for (const name of ['styles.css', '.env', 'run.sh', 'link', 'moved.bin', 'new.txt']) {
      await expect(newest).toContainText(name);
    }
  });
  const afterSecond = await treeOf(folder);

  await test.step('/rewind opens the dialog with "Now" selected, and shows what will change', async () => {
    await messageBox(page).fill('/rew');
    const commands = page.getByRole('listbox', { name: 'Commands' });
    await expect(commands.getByRole('option', { name: '/rewind' })).toHaveAttribute('aria-selected', 'true');
    await messageBox(page).press('Enter');
    await expect(turnOptions(page)).toHaveCount(3);
    await expect(turnOptions(page).first()).toHaveAttribute('aria-selected', 'true');
    const confirm = rewindDialog(page).getByRole('button', { name: 'Rewind', exact: true });
    await expect(confirm).toBeDisabled();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(turnOptions(page).last()).toHaveAttribute('aria-selected', 'true');
    for (const name of ['notes.md', 'styles.css', '.env', 'data.bin', 'plan.md', 'run.sh', 'old.txt']) {
      await expect(plannedChanges(page)).toContainText(name);
    }
    expect(await treeOf(folder)).toEqual(afterSecond);
    await confirm.click();
  });

  await test.step('the folder is as it was, and the report says so', async () => {
    await expect(rewindDialog(page)).toBeHidden();
    await expect(conversation(page).getByRole('region', { name: 'Rewound to before turn 1' })).toBeVisible();
    expect(await treeOf(folder)).toEqual(before);
    await expect(messageBox(page)).toHaveValue(FIRST);
  });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1111, 777));
  await app.close();

  await test.step('after a restart the rewind can still be undone, in full', async () => {
    const again = await open({ folder, userDataDir });
    const report = conversation(again.page).getByRole('region', { name: 'Rewound to before turn 1' });
    await report.getByRole('button', { name: 'Undo rewind' }).click();
    await expect(conversation(again.page).getByRole('region', { name: 'Rewind undone' })).toBeVisible();
    expect(await treeOf(folder)).toEqual(afterSecond);
    const sizes = await again.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getSize()),
    );
    expect(sizes).toEqual([[1111, 777]]);
    await again.app.close();
  });
});
