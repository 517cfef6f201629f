/** A folder with three turns of every kind of change, and how it was before each of them: what a plan must lead back to. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyRewind } from '../../electron/rewind/index.ts';
import type { FileState } from '../../shared/file-state.ts';
import { asSha256, asTurnNumber } from '../../shared/ids.ts';
import { OPERATIONS, prepareFolder } from '../helpers/funnel-operations.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { readTree, type Tree } from '../property/tree.ts';

/** By turn: the tree right before it. */
export type Model = ReadonlyMap<number, Tree>;

const text = (content: string): Buffer => Buffer.from(content);

const TURNS: readonly ((
  folder: OpenFolder,
  entry: ReturnType<OpenFolder['store']['beginTurn']>,
) => Promise<void>)[] = [
  async ({ funnel }, entry) => {
    await funnel.editFile(entry, 'a', { old: 'old', new: 'edited' });
    await funnel.setExecutable(entry, 'a', true);
    await funnel.deletePath(entry, 'd', { recursive: true });
    await funnel.writeFile(entry, 'd', text('a file where a directory was'));
    await funnel.writeFile(entry, 'p/new', text('new'));
    await funnel.createDirectory(entry, 'p/empty', { mode: 0o750 });
  },
  async ({ funnel }, entry) => {
    await funnel.writeFile(entry, 'l', text('no link'));
    await funnel.writeFile(entry, 'shared', text('short'));
    await funnel.movePath(entry, 'b', 'p/moved');
  },
  async ({ funnel }, entry) => {
    await funnel.deletePath(entry, 'a');
    await funnel.writeFile(entry, 'a/in', text('a directory where a file was'));
    await funnel.setMode(entry, 'p', 0o700);
    await funnel.createSymlink(entry, 'link', 'p');
  },
];

/** The turns 1 to 3; with `rewound`, they are undone again. */
export async function prepareTurns(root: string, { rewound }: { rewound: boolean }): Promise<Model> {
  prepareFolder(root, OPERATIONS.find(({ onShared }) => onShared)!);
  const folder = await openFolder(root, { durability: 'process' });
  const model = new Map<number, Tree>();
  for (const work of TURNS) {
    const before = readTree(root);
    const entry = folder.store.beginTurn({ label: 'a turn', agent: 'practice', chatHead: null });
    model.set(entry.turn, before);
    await work(folder, entry);
    folder.store.finishTurn(entry.turn, 'done');
  }
  model.set(TURNS.length + 1, readTree(root));
  if (rewound) {
    const decisions = { conflicts: 'abort' } as const;
    await applyRewind({ ...folder, plan: { turn: asTurnNumber(1) }, decisions, scope: 'files-only' });
  }
  folder.store.close();
  return model;
}

const EARLIER = Buffer.from('earlier');
const EARLIER_SHA256 = asSha256(createHash('sha256').update(EARLIER).digest('hex'));

/** A person's files, and the history that the osFoundry desktop app kept of them. */
export function prepareImport(root: string): Model {
  writeFileSync(join(root, 'a'), 'now', { mode: 0o644 });
  writeFileSync(join(root, 'made'), 'by the old app', { mode: 0o644 });
  mkdirSync(join(root, '.osfoundry/checkpoints/blobs'), { recursive: true });
  writeImportable(root);
  const before: FileState = { kind: 'content', sha256: EARLIER_SHA256, bytes: EARLIER.length, mode: 0o644 };
  return new Map([
    [1, new Map([['a', before]])],
    [2, readTree(root)],
  ]);
}

/** One turn, in the form of the osFoundry desktop app. */
export function writeImportable(root: string): void {
  const checkpoints = join(root, '.osfoundry/checkpoints');
  writeFileSync(join(checkpoints, 'blobs', EARLIER_SHA256), EARLIER);
  const files = [
    { path: 'a', pre: { kind: 'content', sha256: EARLIER_SHA256, bytes: EARLIER.length } },
    { path: 'made', pre: { kind: 'absent' } },
  ];
  writeFileSync(join(checkpoints, 'index.json'), JSON.stringify([{ turn: 1, label: 'old', at: 1, files }]));
}
