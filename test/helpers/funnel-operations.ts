/** One call of each kind that the funnel has, with the folder it works on: for tests that let it fail, or die, at every step. */

import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureSink, WriteFunnel } from '../../electron/workspace/index.ts';

export interface Operation {
  readonly name: string;
  /** Works on a file with several names. */
  readonly onShared?: true;
  readonly run: (funnel: WriteFunnel, sink: CaptureSink) => Promise<unknown>;
}

/** Larger than one piece of a copy, so that a copy in place takes several writes. */
const LONG = 300_000;

/** Files, a link, a small tree; where the operation is for it, a file with two names. */
export function prepareFolder(root: string, { onShared }: Operation): void {
  mkdirSync(join(root, 'd/deep'), { recursive: true });
  mkdirSync(join(root, 'd/empty'));
  writeFileSync(join(root, 'a'), 'old a');
  chmodSync(join(root, 'a'), 0o640);
  writeFileSync(join(root, 'b'), 'old b');
  writeFileSync(join(root, 'd/x'), 'old x');
  writeFileSync(join(root, 'd/deep/y'), 'old y');
  symlinkSync('a', join(root, 'l'));
  if (onShared === undefined) return;
  writeFileSync(join(root, 'shared'), 'o'.repeat(LONG));
  linkSync(join(root, 'shared'), join(root, 'other-name'));
}

const text = (content: string): Buffer => Buffer.from(content);

export const OPERATIONS: readonly Operation[] = [
  { name: 'writeFile, new', run: (funnel, sink) => funnel.writeFile(sink, 'new', text('new')) },
  { name: 'writeFile, replaced', run: (funnel, sink) => funnel.writeFile(sink, 'a', text('new a')) },
  {
    name: 'writeFile, with a mode',
    run: (funnel, sink) => funnel.writeFile(sink, 'a', text('new a'), { mode: 0o755 }),
  },
  {
    name: 'writeFile, in new directories',
    run: (funnel, sink) => funnel.writeFile(sink, 'p/q/r', text('r')),
  },
  { name: 'writeFile, over a link', run: (funnel, sink) => funnel.writeFile(sink, 'l', text('new l')) },
  {
    name: 'writeFile, several names',
    onShared: true,
    run: (funnel, sink) => funnel.writeFile(sink, 'shared', text('n'.repeat(LONG + 10))),
  },
  {
    name: 'writeFile, several names, shorter',
    onShared: true,
    run: (funnel, sink) => funnel.writeFile(sink, 'shared', text('short')),
  },
  { name: 'editFile', run: (funnel, sink) => funnel.editFile(sink, 'a', { old: 'old', new: 'edited' }) },
  { name: 'deletePath', run: (funnel, sink) => funnel.deletePath(sink, 'a') },
  { name: 'deletePath, recursive', run: (funnel, sink) => funnel.deletePath(sink, 'd', { recursive: true }) },
  { name: 'movePath, file', run: (funnel, sink) => funnel.movePath(sink, 'a', 'p/moved') },
  { name: 'movePath, over a file', run: (funnel, sink) => funnel.movePath(sink, 'a', 'b') },
  { name: 'movePath, directory', run: (funnel, sink) => funnel.movePath(sink, 'd', 'e') },
  { name: 'createDirectory', run: (funnel, sink) => funnel.createDirectory(sink, 'p/q', { mode: 0o711 }) },
  { name: 'setMode, file', run: (funnel, sink) => funnel.setMode(sink, 'a', 0o600) },
  { name: 'setMode, directory', run: (funnel, sink) => funnel.setMode(sink, 'd', 0o700) },
  { name: 'setExecutable', run: (funnel, sink) => funnel.setExecutable(sink, 'a', true) },
  { name: 'createSymlink', run: (funnel, sink) => funnel.createSymlink(sink, 'b', 'a') },
];
