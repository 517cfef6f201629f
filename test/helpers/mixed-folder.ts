/** A folder in which two turns changed some of everything: what a rewind has to be right about, all at once. */

import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asTurnNumber } from '../../shared/ids.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

export const FIRST_TURN = asTurnNumber(1);

const text = (content: string): Buffer => Buffer.from(content);

function makeFiles(root: string): void {
  const directories = ['to-file/deep', 'removed/empty', 'moved', 'kept', 'closed'];
  for (const directory of directories) mkdirSync(join(root, directory), { recursive: true });
  const files = [
    'edited',
    'deleted',
    'to-file/deep/x',
    'to-file/y',
    'to-dir',
    'to-link',
    'moved/m',
    'kept/k',
    'private',
  ];
  for (const file of files) writeFileSync(join(root, file), `${file} of the person`);
  writeFileSync(join(root, 'closed/c'), 'in a folder that can only be read');
  chmodSync(join(root, 'private'), 0o600);
  chmodSync(join(root, 'removed/empty'), 0o750);
  symlinkSync('nowhere', join(root, 'link'));
  symlinkSync('kept', join(root, 'link-to-dir'));
  writeFileSync(join(root, 'shared'), 'shared of the person');
  linkSync(join(root, 'shared'), join(root, 'kept/shared-too'));
}

/** A person's files, and two turns of an agent over them. */
export async function makeMixedFolder(root: string): Promise<void> {
  makeFiles(root);
  const folder = await openFolder(root, { durability: 'process' });
  await firstTurn(folder);
  await secondTurn(folder);
  folder.store.close();
}

async function firstTurn({ store, funnel }: OpenFolder): Promise<void> {
  const entry = store.beginTurn({ label: 'first', agent: 'practice', chatHead: null });
  await funnel.editFile(entry, 'edited', { old: 'person', new: 'agent' });
  await funnel.deletePath(entry, 'deleted');
  await funnel.deletePath(entry, 'to-file', { recursive: true });
  await funnel.writeFile(entry, 'to-file', text('a file now'));
  await funnel.deletePath(entry, 'to-dir');
  await funnel.writeFile(entry, 'to-dir/new/x', text('a directory now'));
  await funnel.createSymlink(entry, 'to-link', 'kept');
  await funnel.deletePath(entry, 'removed', { recursive: true });
  await funnel.movePath(entry, 'moved', 'moved-away');
  await funnel.setMode(entry, 'private', 0o644);
  store.finishTurn(entry.turn, 'done');
}

async function secondTurn({ store, funnel }: OpenFolder): Promise<void> {
  const entry = store.beginTurn({ label: 'second', agent: 'practice', chatHead: null });
  await funnel.editFile(entry, 'edited', { old: 'agent', new: 'agent, twice' });
  await funnel.writeFile(entry, 'link', text('no link any more'));
  await funnel.writeFile(entry, 'shared', text('shared of the agent'));
  await funnel.writeFile(entry, 'new', text('new'), { mode: 0o755 });
  await funnel.setMode(entry, 'kept', 0o700);
  await funnel.deletePath(entry, 'to-dir/new/x');
  await funnel.writeFile(entry, 'closed/c', text('changed'));
  await funnel.setMode(entry, 'closed', 0o555);
  store.finishTurn(entry.turn, 'done');
}
