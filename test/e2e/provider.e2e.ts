/** A person's own model in the real window: set up, asked, allowed by its diff, rewound; and where its key is not to be found. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { StubModelServer } from '../helpers/stub-model-server.ts';
import { treeOf } from '../helpers/tree.ts';
import {
  allowOnce,
  approval,
  conversation,
  historyItems,
  rewindDialog,
  send,
  test,
  turnIsOver,
} from './open-window.ts';

const KEY = 'sk-e2e-0123456789-very-secret';
/** Without a keyring, as on a bare server, whatever this machine has. */
const NO_KEYRING = ['--password-store=basic'];

let stub: StubModelServer;
test.beforeEach(async () => {
  stub = new StubModelServer();
  await stub.start();
});
test.afterEach(() => stub.stop());

/** Every form in which the key could have been written by mistake. */
const FORMS = [
  KEY,
  Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
  Buffer.from(KEY, 'utf16le').toString('latin1'),
];

async function filesWith(folder: string, forms: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // Chromium removes files of its caches as it likes.
    const content = await readFile(file, 'latin1').catch(() => '');
    if (forms.some((form) => content.includes(form))) found.push(file);
  }
  return found;
}

async function processesWith(forms: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end while it is looked at.
    const words = await readFile(join('/proc', name, 'cmdline'), 'utf8').catch(() => '');
    if (forms.some((form) => words.includes(form))) found.push(words);
  }
  return found;
}

async function addProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Agents' }).click();
  await settings.getByRole('button', { name: 'Add a provider' }).click();
  await settings.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible URL' });
  await settings.getByLabel('URL').fill(stub.addressFor('openai-compatible'));
  await settings.getByLabel('Key').fill(KEY);
  await settings.getByRole('button', { name: 'Fetch list' }).click();
  await expect(settings.getByText('2 models')).toBeVisible();
  await settings.getByLabel('Model').fill('stub-model');
  await settings.getByLabel('Name').fill('My stub');
  await settings.getByRole('button', { name: 'Test connection' }).click();
  await expect(settings.getByText('stub-model answered.')).toBeVisible();
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByText('My stub')).toBeVisible();
  await expect(settings.getByText('kept for this run only')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
}

test('a model of an own server edits by approval, is rewound, and its key stays in memory', async ({
  open,
  newFolder,
}) => {
  const folder = await newFolder();
  const userDataDir = await newFolder();
  await writeFile(join(folder, 'notes.md'), 'an old note\r\nkept\r\n');
  await writeFile(join(folder, '.env'), 'TOKEN=1\n', { mode: 0o600 });
  const before = await treeOf(folder);
  const { app, page } = await open({ folder, userDataDir, args: NO_KEYRING });

  await test.step('it is added in Settings, and is the one that answers', async () => {
    await addProvider(page);
    await expect(page.getByRole('combobox', { name: 'Agent' }).locator('option:checked')).toHaveText(
      'My stub',
    );
    await expect(page.getByText('Every write captured before it happens')).toBeVisible();
  });

  await test.step('it asks with the diff before it edits', async () => {
    stub.script(
      { calls: [{ name: 'read_file', input: { path: 'notes.md' } }] },
      { calls: [{ name: 'edit_file', input: { path: 'notes.md', old: 'old', new: 'new' } }] },
      { text: 'The note is new.' },
    );
    await send(page, 'Make the note new');
    await expect(approval(page)).toContainText('an old note');
    await expect(approval(page)).toContainText('an new note');
    expect(await treeOf(folder)).toEqual(before);
    await allowOnce(page);
    await turnIsOver(page, 1);
    await expect(conversation(page)).toContainText('The note is new.');
    expect(await readFile(join(folder, 'notes.md'), 'utf8')).toBe('an new note\r\nkept\r\n');
  });

  await test.step('the key goes to the server and to no file, no page and no argument', async () => {
    expect(new Set(stub.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${KEY}`]),
    );
    expect(stub.requests.map(({ body }) => JSON.stringify(body)).join('')).not.toContain('TOKEN=1');
    expect(await page.content()).not.toContain(KEY);
    // That the look would find something is shown by what is there.
    expect(await processesWith([userDataDir])).not.toEqual([]);
    expect(await processesWith(FORMS)).toEqual([]);
  });

  await test.step('it is rewound', async () => {
    await historyItems(page).first().getByRole('button', { name: 'Rewind to before this turn' }).click();
    await rewindDialog(page).getByRole('button', { name: 'Rewind', exact: true }).click();
    await expect(conversation(page).getByRole('region', { name: 'Rewound to before turn 1' })).toBeVisible();
    expect(await treeOf(folder)).toEqual(before);
  });
  await app.close();
  expect(await filesWith(userDataDir, ['My stub'])).toContain(join(userDataDir, 'settings.json'));
  for (const place of [userDataDir, folder]) expect(await filesWith(place, FORMS)).toEqual([]);

  await test.step('after a restart it answers still, without the key that nothing could keep', async () => {
    const again = await open({ folder, userDataDir, args: NO_KEYRING });
    const asked = stub.requests.length;
    stub.script({ text: 'Here again.' });
    await send(again.page, 'Are you there?');
    await expect(conversation(again.page)).toContainText('Here again.');
    expect(stub.requests.slice(asked).map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(JSON.stringify(stub.requests.at(-1)?.body)).not.toContain('The note is new.');
    await again.app.close();
  });
  for (const place of [userDataDir, folder]) expect(await filesWith(place, FORMS)).toEqual([]);
});
