/** An agent that is installed on this machine, in the real window: added by its command, covered although it writes by itself. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { projectRoot } from '../../scripts/project.mjs';
import { treeOf } from '../helpers/tree.ts';
import { conversation, historyItems, rewindDialog, send, test, turnIsOver } from './open-window.ts';

const COMMAND = `"${process.execPath}" "${join(projectRoot, 'test', 'helpers', 'scripted-acp-agent.mjs')}"`;

test('an external agent is added by its command, writes by itself, and is rewound', async ({
  open,
  newFolder,
}) => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a.txt'), 'one\n', { mode: 0o640 });
  const before = await treeOf(folder);
  const { page } = await open({ folder, userDataDir: await newFolder() });

  await page.getByRole('button', { name: 'Use an installed agent' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel('Command').fill(COMMAND);
  await settings.getByLabel('Name').fill('Scripted');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByText('in use')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Restorable to the start of the turn, and to each approval')).toBeVisible();

  await send(page, 'write');
  await turnIsOver(page, 1);
  await expect(conversation(page)).toContainText('written');
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('by the agent\n');

  await send(page, 'write-and-crash');
  await turnIsOver(page, 2);
  await expect(conversation(page)).toContainText('ended in the middle of the turn');

  await historyItems(page).last().getByRole('button', { name: 'Rewind to before this turn' }).click();
  await rewindDialog(page).getByRole('button', { name: 'Rewind', exact: true }).click();
  await expect(conversation(page).getByRole('region', { name: 'Rewound to before turn 1' })).toBeVisible();
  expect(await treeOf(folder)).toEqual(before);
});
