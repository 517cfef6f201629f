/** A command that changes hundreds of files in one turn: approved in the window, rewound from the window. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { projectRoot } from '../../scripts/project.mjs';
import { treeOf } from '../helpers/tree.ts';
import {
  approval,
  conversation,
  historyItems,
  plannedChanges,
  rewindDialog,
  send,
  test,
  turnIsOver,
} from './open-window.ts';

const FILES = 300;
const COMMAND = `"${join(projectRoot, 'node_modules', '.bin', 'biome')}" format --write --max-diagnostics=1 src`;

test('a formatter over a few hundred files is rewound as exactly as a single write', async ({
  open,
  newFolder,
}) => {
  const folder = await newFolder();
  await mkdir(join(folder, 'src'));
  for (let file = 0; file < FILES; file += 1) {
    await writeFile(join(folder, 'src', `part-${file}.js`), `export   const part${file}=[${file},'a'  ]\r\n`);
  }
  const before = await treeOf(folder);
  const { page } = await open({ folder, userDataDir: await newFolder() });

  await send(page, `run: ${COMMAND}`);
  await expect(approval(page)).toContainText(COMMAND);
  expect(await treeOf(folder)).toEqual(before);
  await approval(page).getByRole('button', { name: 'Allow once' }).click();
  await turnIsOver(page, 1);
  const newest = historyItems(page).first();
  await expect(newest).toContainText(`${FILES} files`);
  const formatted = await treeOf(folder);
  expect(Object.keys(formatted)).toEqual(Object.keys(before));
  expect(Object.keys(formatted).filter((path) => formatted[path] !== before[path])).toHaveLength(FILES);

  await newest.getByRole('button', { name: 'Rewind to before this turn' }).click();
  await expect(plannedChanges(page)).toContainText('part-0.js');
  await rewindDialog(page).getByRole('button', { name: 'Rewind', exact: true }).click();
  const report = conversation(page).getByRole('region', { name: 'Rewound to before turn 1' });
  await expect(report).toContainText(`${FILES} files restored`);
  expect(await treeOf(folder)).toEqual(before);

  await report.getByRole('button', { name: 'Undo rewind' }).click();
  await expect(conversation(page).getByRole('region', { name: 'Rewind undone' })).toBeVisible();
  expect(await treeOf(folder)).toEqual(formatted);
});
