/** Short ways to fill a checkpoint store with turns. */

import { sha256Of } from '../../electron/base/hash.ts';
import {
  type CheckpointStore,
  type OpenEntry,
  type OpenStoreOptions,
  openStore,
} from '../../electron/store/index.ts';
import type { FileState } from '../../shared/file-state.ts';
import { parseRelPath } from '../../shared/rel-path.ts';

export const openStoreOn = (root: string, more: Partial<OpenStoreOptions> = {}): Promise<CheckpointStore> =>
  openStore({ root, access: 'write', holder: 'a test', lockWaitMs: 50, ...more });

export const beginTurn = (store: CheckpointStore, label = 'a turn'): OpenEntry =>
  store.beginTurn({ label, agent: 'practice', chatHead: null });

export type Content = Extract<FileState, { kind: 'content' }>;

/** A state whose bytes the store has. */
export async function held(entry: Pick<OpenEntry, 'putBlob'>, text: string, mode = 0o644): Promise<Content> {
  const bytes = Buffer.from(text);
  return { kind: 'content', sha256: await entry.putBlob(bytes), bytes: bytes.length, mode };
}

/** A state that is only known by its hash, as what a turn left. */
export const unheld = (text: string): Content => ({
  kind: 'content',
  sha256: sha256Of(`unheld ${text}`),
  bytes: text.length,
  mode: 0o644,
});

/** One change of a path, from intent to end. */
export async function change(entry: OpenEntry, name: string, pre: FileState, post: FileState): Promise<void> {
  await entry.intend(parseRelPath(name), pre, post, null);
  await entry.applied(parseRelPath(name), post);
}

/** A finished turn in which each file held the given text before. */
export async function finishedTurn(
  store: CheckpointStore,
  before: Readonly<Record<string, string>>,
): Promise<OpenEntry> {
  const entry = beginTurn(store);
  for (const [name, text] of Object.entries(before)) {
    await change(entry, name, await held(entry, text), unheld(`${name} after`));
  }
  store.finishTurn(entry.turn, 'done');
  return entry;
}

export const baselineRow = (name: string, state: FileState) => ({
  path: parseRelPath(name),
  state,
  sizeBytes: state.kind === 'content' ? state.bytes : 0,
  mtimeNs: 1_700_000_000_123_456_789n,
  ctimeNs: 2n,
  inode: 3n,
});
