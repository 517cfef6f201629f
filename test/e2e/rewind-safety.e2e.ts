/** What a rewind in the window can not do: take a person's edit without asking, run beside a turn, begin by accident. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { treeOf } from '../helpers/tree.ts';
import {
  chooseMode,
  conversation,
  historyItems,
  messageBox,
  rewindDialog,
  send,
  test,
  turnIsOver,
  turnOptions,
} from './open-window.ts';

test('conflicts are decided by the person, a running turn is stopped first, and Esc Esc Enter changes nothing', async ({
  open,
  newFolder,
}) => {
  const folder = await newFolder();
  const file = (name: string) => join(folder, name);
  const text = (name: string) => readFile(file(name), 'utf8');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(file(name), `${name} before\n`);
  const { page } = await open({ folder, userDataDir: await newFolder() });
  const confirm = rewindDialog(page).getByRole('button', { name: 'Rewind', exact: true });
  await chooseMode(page, 'Full');
  await send(page, ['a.txt', 'b.txt', 'c.txt'].map((name) => `write ${name}: by the agent`).join('\n'));
  await turnIsOver(page, 1);

  await test.step('no chain of Esc and Enter changes a file', async () => {
    const before = await treeOf(folder);
    await messageBox(page).focus();
    for (const chain of [
      ['Escape', 'Escape', 'Enter'],
      ['Escape', 'Escape', 'Enter', 'Enter', 'Enter'],
      ['Escape', 'Escape', 'Escape', 'Enter', 'Escape', 'Escape', 'Escape', 'Enter', 'Enter'],
    ]) {
      for (const key of chain) await page.keyboard.press(key);
      if (await rewindDialog(page).isVisible()) await page.keyboard.press('Escape');
      await expect(rewindDialog(page)).toBeHidden();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(turnOptions(page).first()).toHaveAttribute('aria-selected', 'true');
    await expect(turnOptions(page).first()).toContainText('Now');
    await expect(confirm).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(rewindDialog(page)).toBeHidden();
    expect(await treeOf(folder)).toEqual(before);
    await expect(historyItems(page)).toHaveCount(1);
  });

  await test.step('what the person changed since is a conflict, decided file by file', async () => {
    await writeFile(file('a.txt'), 'a.txt by the person\n');
    await writeFile(file('b.txt'), 'b.txt by the person\n');
    await send(page, '/rewind last');
    const choiceOf = (name: string) => rewindDialog(page).getByRole('radiogroup', { name });
    await expect(choiceOf('a.txt')).toBeVisible();
    await expect(choiceOf('c.txt')).toBeHidden();
    await expect(confirm).toBeDisabled();
    await choiceOf('a.txt').getByText('Go back').click();
    await expect(confirm).toBeDisabled();
    await choiceOf('b.txt').getByText('Keep mine').click();
    await confirm.click();
    const report = conversation(page).getByRole('region', { name: 'Rewound to before turn 1' });
    await expect(report).toBeVisible();
    expect(await text('a.txt')).toBe('a.txt before\n');
    expect(await text('b.txt')).toBe('b.txt by the person\n');
    expect(await text('c.txt')).toBe('c.txt before\n');
    await report.getByRole('button', { name: 'Undo rewind' }).click();
    await expect(conversation(page).getByRole('region', { name: 'Rewind undone' })).toBeVisible();
    expect(await text('a.txt')).toBe('a.txt by the person\n');
    expect(await text('b.txt')).toBe('b.txt by the person\n');
    expect(await text('c.txt')).toBe('by the agent\n');
  });

  await test.step('a plan that is no longer true is refused and shown again', async () => {
    await writeFile(file('a.txt'), 'by the agent\n');
    await writeFile(file('b.txt'), 'by the agent\n');
    await send(page, '/rewind last');
    await expect(confirm).toBeEnabled();
    await writeFile(file('c.txt'), 'c.txt at the last moment\n');
    await confirm.click();
    await expect(rewindDialog(page)).toContainText('Files changed since you looked');
    await expect(rewindDialog(page).getByRole('radiogroup', { name: 'c.txt' })).toBeVisible();
    expect(await text('a.txt')).toBe('by the agent\n');
    expect(await text('c.txt')).toBe('c.txt at the last moment\n');
    await rewindDialog(page).getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('while a turn runs a rewind is refused, with the offer to stop it', async () => {
    await messageBox(page).fill('');
    await send(page, 'run: echo started > marker && sleep 600');
    await expect.poll(() => text('marker').catch(() => '')).toBe('started\n');
    const before = await treeOf(folder);
    await messageBox(page).press('Escape');
    await messageBox(page).press('Escape');
    await turnOptions(page).nth(1).click();
    await expect(rewindDialog(page)).toContainText('is running');
    await expect(confirm).toBeDisabled();
    expect(await treeOf(folder)).toEqual(before);
    await rewindDialog(page).getByRole('button', { name: 'Stop the turn' }).click();
    await expect(confirm).toBeEnabled();
    await confirm.click();
    await expect(rewindDialog(page)).toBeHidden();
    await expect.poll(() => text('marker').catch(() => 'gone')).toBe('gone');
  });
});
