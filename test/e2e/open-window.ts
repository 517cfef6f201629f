/** What the tests of the real window share: folders of their own, opening, and finding things by role and name. */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { type LaunchOptions, launchApp } from './launch.ts';

export interface OpenedWindow {
  readonly app: ElectronApplication;
  readonly page: Page;
}

interface Fixtures {
  /** A new empty folder outside of the repository. */
  readonly newFolder: () => Promise<string>;
  /** Opens the app; it is closed when the test ends, if the test has not done so. */
  readonly open: (options: LaunchOptions) => Promise<OpenedWindow>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
  newFolder: async ({}, use) => {
    const folders: string[] = [];
    await use(async () => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), 'rewind-e2e-')));
      folders.push(folder);
      return folder;
    });
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  },
  open: async ({ newFolder: _ }, use) => {
    const apps: ElectronApplication[] = [];
    await use(async (options) => {
      const app = await launchApp(options);
      apps.push(app);
      const page = await app.firstWindow();
      return { app, page };
    });
    for (const app of apps) await app.close().catch(() => undefined);
  },
});

export const messageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });
export const history = (page: Page): Locator => page.getByRole('complementary', { name: 'History' });
/** The entries of the history panel, newest first. */
export const historyItems = (page: Page): Locator =>
  history(page).getByRole('list', { name: 'Turns' }).locator('> li');
export const rewindDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Rewind' });
export const turnOptions = (page: Page): Locator =>
  rewindDialog(page).getByRole('listbox', { name: 'Turns' }).getByRole('option');
export const plannedChanges = (page: Page): Locator =>
  rewindDialog(page).getByRole('region', { name: 'What will change' });

export async function send(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Waits until the given turn is over and shown in the history. */
export async function turnIsOver(page: Page, count: number): Promise<void> {
  await expect(historyItems(page)).toHaveCount(count);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
}

export const approval = (page: Page): Locator => page.getByRole('group', { name: /^Approval: / });

export async function allowOnce(page: Page): Promise<void> {
  await approval(page).getByRole('button', { name: 'Allow once' }).click();
}

export async function chooseMode(page: Page, mode: 'Ask' | 'Full' | 'Read only'): Promise<void> {
  await page.getByRole('button', { name: /^Permissions: / }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${mode}`) }).click();
  await expect(page.getByRole('button', { name: `Permissions: ${mode}` })).toBeVisible();
}
