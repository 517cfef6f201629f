/** Each thing that a store does, on a history that holds one of everything: for tests that let it fail, or die, at every call. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../electron/base/clock.ts';
import { type FileSystem, nodeFileSystem } from '../../electron/base/file-system.ts';
import { sha256Of } from '../../electron/base/hash.ts';
import { type CheckpointStore, forgetStore, storePaths } from '../../electron/store/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import { asSha256, asTurnNumber, type Sha256 } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { RewindReport } from '../../shared/rewind.ts';
import { baselineRow, beginTurn, change, finishedTurn, held, openStoreOn, unheld } from './store.ts';

/** So that two runs can be compared. */
export const FIXED_CLOCK: Clock = { nowMs: () => 1_700_000_000_000 };

const RUNNING = asTurnNumber(3);
const REWIND = asTurnNumber(4);
const path = parseRelPath;

/** Turns 1 and 2 are finished, 3 runs with a change under way, 4 is a rewind that runs. */
export async function prepareStore(root: string): Promise<void> {
  const store = await openStoreOn(root, { clock: FIXED_CLOCK, durability: 'process' });
  const hello = store.appendMessage(null, { type: 'user', text: 'hello' });
  await finishedTurn(store, { 'a.txt': 'one', 'b.txt': 'shared' });
  await finishedTurn(store, { 'a.txt': 'two', 'c.txt': 'shared' });
  const running = beginTurn(store);
  await change(running, 'd.txt', await held(running, 'three'), unheld('x'));
  await running.intend(path('e.txt'), ABSENT, unheld('y'), '.temp');
  store.beginRewind({
    label: 'back',
    target: asTurnNumber(1),
    redoOf: null,
    scope: 'files-and-chat',
    chatHeadBefore: hello.id,
    chatHeadAfter: null,
  });
  const [old, kept] = [await held(store, 'only in the baseline'), await held(store, 'shared')];
  store.updateBaseline({ upsert: [baselineRow('old.txt', old), baselineRow('b.txt', kept)], remove: [] });
  await held(store, 'named by no row');
  store.close();
}

export interface StoreOperation {
  readonly name: string;
  /** At most one commit. */
  readonly run: (store: CheckpointStore) => Promise<unknown> | unknown;
}

const report: RewindReport = {
  rewind: REWIND,
  turn: asTurnNumber(1),
  kind: 'rewind',
  scope: 'files-and-chat',
  restored: ['a.txt'],
  deleted: [],
  kept: [],
  conflicts: [],
  failed: [],
  notDone: [],
};

async function updateBaseline(store: CheckpointStore, count: number): Promise<void> {
  const batch = store.blobBatch();
  const names = Array.from({ length: count }, (_, index) => `new ${index}`);
  const rows = [];
  for (const name of names) {
    const bytes = Buffer.from(`content of ${name}`);
    rows.push(
      baselineRow(name, {
        kind: 'content',
        sha256: await batch.put(bytes),
        bytes: bytes.length,
        mode: 0o644,
      }),
    );
  }
  await batch.sync();
  store.updateBaseline({ upsert: rows, remove: [path('b.txt')] });
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < 3; piece += 1) yield Buffer.alloc(1000, `${piece}`);
}

export const STORE_OPERATIONS: readonly StoreOperation[] = [
  { name: 'begin a turn', run: (store) => beginTurn(store, 'another') },
  {
    name: 'capture',
    run: async (store) => {
      const entry = store.resumeTurn(RUNNING);
      const content = await entry.putBlobFrom(pieces());
      await entry.intend(path('new.txt'), { kind: 'content', ...content, mode: 0o600 }, ABSENT, '.temp');
    },
  },
  {
    name: 'capture of content that is there',
    run: async (store) => {
      const entry = store.resumeTurn(RUNNING);
      await entry.intend(path('new.txt'), await held(entry, 'shared'), ABSENT, null);
    },
  },
  { name: 'apply', run: (store) => store.resumeTurn(RUNNING).applied(path('e.txt'), unheld('y'), ['mark']) },
  {
    name: 'observe',
    run: async (store) => {
      const entry = store.resumeTurn(RUNNING);
      const pre = await held(entry, 'seen');
      entry.observed([
        { path: path('seen.txt'), pre, post: unheld('z') },
        { path: path('d.txt'), pre, post: ABSENT, marks: ['m'] },
      ]);
    },
  },
  { name: 'settle', run: (store) => store.settleCapture(RUNNING, path('e.txt'), ABSENT) },
  { name: 'note', run: (store) => store.resumeTurn(RUNNING).addNotes(['a note']) },
  {
    name: 'not covered',
    run: (store) =>
      store.resumeTurn(RUNNING).addNotCovered([{ path: 'big', reason: '12 MB, over the 8 MB limit' }]),
  },
  { name: 'finish a turn', run: (store) => store.finishTurn(RUNNING, 'done') },
  {
    name: 'begin a rewind',
    run: (store) =>
      store.beginRewind({
        label: 'back',
        target: asTurnNumber(2),
        redoOf: null,
        scope: 'files-only',
        chatHeadBefore: null,
        chatHeadAfter: null,
      }),
  },
  {
    name: 'finish a rewind',
    run: (store) =>
      store.finishRewind(REWIND, {
        outcome: 'done',
        captures: store.captures(asTurnNumber(1)),
        turns: [asTurnNumber(1), asTurnNumber(2)],
        report,
      }),
  },
  { name: 'prune', run: (store) => store.prune({ keepTurns: 3 }) },
  { name: 'baseline, few contents', run: (store) => updateBaseline(store, 3) },
  { name: 'baseline, many contents', run: (store) => updateBaseline(store, 33) },
  {
    name: 'drop contents',
    run: (store) => store.dropUnnamed([sha256Of('named by no row'), sha256Of('shared')]),
  },
  { name: 'message', run: (store) => store.appendMessage(RUNNING, { type: 'assistant', text: 'hi' }) },
  { name: 'move the chat', run: (store) => store.setChatHead(null) },
  { name: 'keep a value', run: (store) => store.setMeta('key', 'value') },
  { name: 'verify', run: (store) => store.verify() },
  { name: 'read a blob', run: (store) => store.readBlob(sha256Of('shared')) },
];

export interface Opening {
  readonly name: string;
  /** Makes of a folder with a prepared store one that needs this kind of opening. */
  readonly prepare: (root: string) => void;
  readonly run: (root: string, fs: FileSystem, onDatabaseCall: (call: string) => void) => Promise<unknown>;
}

const open: Opening['run'] = async (root, fs, onDatabaseCall) => {
  (await openStoreOn(root, { fs, onDatabaseCall, clock: FIXED_CLOCK })).close();
};

export const OPENINGS: readonly Opening[] = [
  { name: 'open', prepare: () => undefined, run: open },
  { name: 'open, new', prepare: (root) => rmSync(storePaths(root).home, { recursive: true }), run: open },
  {
    name: 'open, migration',
    prepare: (root) => {
      const { index } = storePaths(root);
      rmSync(index);
      new Database(index).exec('PRAGMA journal_mode = WAL').close();
    },
    run: open,
  },
  {
    name: 'open, damaged index',
    prepare: (root) => writeFileSync(storePaths(root).index, 'no database '.repeat(1000)),
    run: open,
  },
  {
    name: 'open, leftovers',
    prepare: (root) => {
      const { temporary, format, home } = storePaths(root);
      writeFileSync(join(temporary, 'cut off'), 'half');
      writeFileSync(join(home, '.0123456789abcdef.tmp'), 'half');
      writeFileSync(format, '');
    },
    run: open,
  },
  {
    name: 'open, index.json',
    prepare: (root) => {
      const { home, blobs, importable } = storePaths(root);
      rmSync(home, { recursive: true });
      mkdirSync(blobs, { recursive: true });
      const sha256 = sha256Of('old');
      writeFileSync(join(blobs, sha256), 'old');
      const files = [{ path: 'a', pre: { kind: 'content', sha256, bytes: 3 } }];
      writeFileSync(importable, JSON.stringify([{ turn: 7, label: 'old', at: 1, files }]));
    },
    run: open,
  },
  {
    name: 'forget',
    prepare: () => undefined,
    run: async (root, fs) => {
      await forgetStore(root, fs);
    },
  },
];

/** Everything that the index says, to be compared. */
export function contentsOf(store: CheckpointStore): unknown {
  const entries = store.entries();
  return {
    entries: entries.map((entry) => ({ ...entry, captures: store.captures(entry.turn) })),
    baseline: [...store.baseline()].map(({ path: name, state }) => [name, state]),
    chat: [store.chatHead(), store.branchEnds()],
    value: store.getMeta('key'),
  };
}

/** All contents that a state of the history needs, read and checked. */
export async function readAllNamed(store: CheckpointStore): Promise<void> {
  const named = new Set<Sha256>();
  for (const { turn } of store.entries()) {
    for (const { pre } of store.captures(turn)) if (pre.kind === 'content') named.add(pre.sha256);
  }
  for (const { state } of store.baseline()) if (state.kind === 'content') named.add(asSha256(state.sha256));
  for (const sha256 of named) await store.readBlob(sha256);
}

/** The real file system, for the openings that need no other. */
export const plainly = (run: Opening['run'], root: string): Promise<unknown> =>
  run(root, nodeFileSystem, () => undefined);
