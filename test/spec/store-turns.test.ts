import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CheckpointStore,
  type OpenEntry,
  type OpenStoreOptions,
  openStore,
} from '../../electron/store/index.ts';
import type { FileState } from '../../shared/file-state.ts';
import { asSha256, type RelPath, type TurnNumber } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';

let root: string;
let store: CheckpointStore;

const open = (more: Partial<OpenStoreOptions> = {}): Promise<CheckpointStore> =>
  openStore({ root, access: 'write', lockWaitMs: 50, ...more });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rewind-store-'));
  store = await open();
});

afterEach(async () => {
  const report = await store.verify();
  expect(report.ok).toBe(true);
  store.close();
  await rm(root, { recursive: true, force: true });
});

const path = (text: string): RelPath => parseRelPath(text);
const begin = (label = 'a turn'): OpenEntry => store.beginTurn({ label, agent: 'practice', chatHead: null });

async function content(entry: OpenEntry, text: string, mode = 0o644): Promise<FileState> {
  const bytes = Buffer.from(text);
  return { kind: 'content', sha256: await entry.putBlob(bytes), bytes: bytes.length, mode };
}

const unheld = (text: string): FileState => ({
  kind: 'content',
  sha256: asSha256(text.padEnd(64, '0').replace(/[^0-9a-f]/g, 'a')),
  bytes: text.length,
  mode: 0o644,
});

async function write(entry: OpenEntry, name: string, pre: FileState, post: FileState): Promise<void> {
  await entry.intend(path(name), pre, post, null);
  await entry.applied(path(name), post);
}

async function reopen(): Promise<void> {
  store.close();
  store = await open();
}

describe('turns and captures', () => {
  it('R1 the bytes are a blob and the capture is committed before a write is announced as possible', async () => {
    const entry = begin();
    const pre = await content(entry, 'before');
    await entry.intend(path('a.txt'), pre, unheld('after'), 'temp');
    const blobs = await readdir(join(root, '.osfoundry/checkpoints/blobs'));
    expect(blobs).toHaveLength(1);
    expect(await readFile(join(root, '.osfoundry/checkpoints/blobs', blobs[0] ?? ''), 'utf8')).toBe('before');
    await reopen();
    expect(store.pendingCaptures()).toMatchObject([{ path: 'a.txt', pre, post: null, temp: 'temp' }]);
    store.settleCapture(entry.turn, path('a.txt'), pre);
    expect(store.capture(entry.turn, path('a.txt'))).toMatchObject({ post: pre, recovered: true });
  });

  it('R2 the first capture of a path in a turn wins', async () => {
    const entry = begin();
    const first = await content(entry, 'first');
    await write(entry, 'a.txt', first, unheld('x'));
    await write(entry, 'a.txt', await content(entry, 'second'), unheld('y'));
    expect(entry.captures()).toMatchObject([{ pre: first, post: unheld('y') }]);
  });

  it('R3 same bytes are one blob', async () => {
    const entry = begin();
    await write(entry, 'a.txt', await content(entry, 'same'), unheld('x'));
    await write(entry, 'b.txt', await content(entry, 'same'), unheld('x'));
    expect(store.stats()).toMatchObject({ captures: 2, blobs: 1, bytesLogical: 8 });
  });

  it('I1 a row can not name content that is not whole on disk', async () => {
    const entry = begin();
    await expect(entry.intend(path('a.txt'), unheld('never put'), unheld('x'), null)).rejects.toThrow(
      /not in the history/,
    );
    expect(entry.captures()).toEqual([]);
    expect(() =>
      entry.observed([{ path: path('a.txt'), pre: unheld('never put'), post: unheld('x') }]),
    ).toThrow(/not in the history/);
    expect(entry.captures()).toEqual([]);
  });

  it('an abandoned first change leaves no capture; an abandoned later one leaves what was', async () => {
    const entry = begin();
    const pre = await content(entry, 'before');
    await entry.intend(path('a.txt'), pre, unheld('x'), null);
    await entry.abandoned(path('a.txt'));
    expect(entry.captures()).toEqual([]);
    await write(entry, 'a.txt', pre, unheld('x'));
    await entry.intend(path('a.txt'), pre, unheld('y'), 'temp');
    await entry.abandoned(path('a.txt'));
    expect(entry.captures()).toMatchObject([{ pre, post: unheld('x'), temp: null }]);
  });

  it('every kind of state comes back as it was put', async () => {
    const entry = begin();
    const states: FileState[] = [
      { kind: 'absent' },
      { kind: 'symlink', target: '../elsewhere' },
      { kind: 'directory', mode: 0o750 },
      { kind: 'skipped', reason: '12 MB, over the 8 MB limit', bytes: 12, mode: 0o644 },
      await content(entry, 'text', 0o600),
    ];
    for (const [index, state] of states.entries()) await write(entry, `f${index}`, state, { kind: 'absent' });
    await reopen();
    expect(store.captures(entry.turn).map(({ pre }) => pre)).toEqual(states);
  });

  it('what a scan saw is recorded in one commit, and a capture that was there wins', async () => {
    const entry = begin();
    const pre = await content(entry, 'tool');
    await write(entry, 'a.txt', pre, unheld('x'));
    entry.observed([
      { path: path('a.txt'), pre: await content(entry, 'scan'), post: unheld('z'), marks: ['m'] },
      {
        path: path('b.txt'),
        pre: { kind: 'absent' },
        post: unheld('b'),
        marks: ['changed during a command'],
      },
    ]);
    expect(entry.captures()).toMatchObject([
      { path: 'a.txt', pre, post: unheld('z'), marks: ['m'] },
      { path: 'b.txt', pre: { kind: 'absent' }, marks: ['changed during a command'] },
    ]);
  });

  it('numbers count from 1 and are never used again, also after a prune of everything', async () => {
    const first = begin();
    store.finishTurn(first.turn, 'done');
    const second = begin();
    store.finishTurn(second.turn, 'done');
    expect([first.turn, second.turn]).toEqual([1, 2]);
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({ turnsRemoved: 2 });
    await reopen();
    expect(begin().turn).toBe(3);
  });
});

describe('rewinds', () => {
  const report = (rewind: TurnNumber, turn: TurnNumber) => ({
    rewind,
    turn,
    kind: 'rewind' as const,
    scope: 'files-only' as const,
    restored: [],
    deleted: [],
    kept: [],
    conflicts: [],
    failed: [],
    notDone: [],
  });
  const rewindTo = (target: TurnNumber, redoOf: TurnNumber | null = null): OpenEntry =>
    store.beginRewind({
      label: 'back',
      target,
      redoOf,
      scope: 'files-only',
      chatHeadBefore: null,
      chatHeadAfter: null,
    });

  it('captures that a rewind undid are out of force until a redo brings them back', async () => {
    const entry = begin();
    await write(entry, 'a.txt', { kind: 'absent' }, unheld('x'));
    await write(entry, 'dir/b.txt', { kind: 'absent' }, unheld('x'));
    store.finishTurn(entry.turn, 'done');
    const captures = store.capturesInForce(entry.turn);
    expect(captures.map((row) => row.path)).toEqual(['a.txt', 'dir/b.txt']);
    expect(store.capturesInForce(entry.turn, [path('dir')]).map((row) => row.path)).toEqual(['dir/b.txt']);

    const rewind = rewindTo(entry.turn);
    expect(rewind.maxFileBytes).toBeNull();
    store.finishRewind(rewind.turn, {
      outcome: 'done',
      captures,
      turns: [entry.turn],
      report: report(rewind.turn, entry.turn),
    });
    expect(store.capturesInForce(entry.turn)).toEqual([]);
    expect(store.entry(entry.turn)?.status).toBe('rewound');
    expect(store.lastKeptTurn()).toBeNull();
    expect(store.redoable()?.turn).toBe(rewind.turn);

    const redo = rewindTo(entry.turn, rewind.turn);
    store.finishRewind(redo.turn, {
      outcome: 'done',
      captures,
      turns: [entry.turn],
      report: report(redo.turn, entry.turn),
    });
    expect(store.capturesInForce(entry.turn)).toHaveLength(2);
    expect(store.entry(entry.turn)?.status).toBe('kept');
    expect(store.redoable()).toBeNull();
  });

  it('a new turn ends the redo', () => {
    const entry = begin();
    store.finishTurn(entry.turn, 'done');
    const rewind = rewindTo(entry.turn);
    store.finishRewind(rewind.turn, {
      outcome: 'done',
      captures: [],
      turns: [entry.turn],
      report: report(rewind.turn, entry.turn),
    });
    expect(store.redoable()?.turn).toBe(rewind.turn);
    begin();
    expect(store.redoable()).toBeNull();
  });

  it('I4 a rewind removes no row and no blob', async () => {
    const entry = begin();
    await write(entry, 'a.txt', await content(entry, 'before'), unheld('x'));
    const before = store.stats();
    const rewind = rewindTo(entry.turn);
    store.finishRewind(rewind.turn, {
      outcome: 'done',
      captures: store.capturesInForce(entry.turn),
      turns: [entry.turn],
      report: report(rewind.turn, entry.turn),
    });
    expect(store.stats()).toMatchObject({ captures: before.captures, blobs: before.blobs });
  });
});

describe('the chat', () => {
  it('is a tree: going back keeps the old branch', () => {
    const one = store.appendMessage(null, { type: 'user', text: 'one' });
    store.appendMessage(null, { type: 'assistant', text: 'two' });
    store.setChatHead(one.id);
    store.appendMessage(null, { type: 'assistant', text: 'other' });
    const texts = (messages: { item: { type: string } }[]) =>
      messages.map(({ item }) => ('text' in item ? item.text : ''));
    expect(texts(store.branch())).toEqual(['one', 'other']);
    expect(texts(store.branchEnds())).toEqual(['other', 'two']);
  });
});

describe('the folder of the store', () => {
  it('is for the owner only, and git does not see it', async () => {
    const entry = begin();
    await write(entry, '.env', await content(entry, 'SECRET'), unheld('x'));
    expect((await stat(join(root, '.osfoundry'))).mode & 0o777).toBe(0o700);
    const [blob] = await readdir(join(root, '.osfoundry/checkpoints/blobs'));
    expect((await stat(join(root, '.osfoundry/checkpoints/blobs', blob ?? ''))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(root, '.osfoundry/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('has one writer; the second is told who; readers need no lock', async () => {
    await expect(open({ holder: 'the second' })).rejects.toMatchObject({ code: 'store-locked' });
    const reader = await open({ access: 'read' });
    begin('seen');
    expect(reader.entries()).toMatchObject([{ label: 'seen' }]);
    expect(() => reader.setMeta('a', 'b')).toThrow(/reading only/);
    reader.close();
  });

  it('a garbage index is set aside and a new history begins; the blobs stay', async () => {
    const entry = begin();
    await write(entry, 'a.txt', await content(entry, 'kept'), unheld('x'));
    store.close();
    const checkpoints = join(root, '.osfoundry/checkpoints');
    await rm(join(checkpoints, 'index.sqlite-wal'), { force: true });
    await writeFile(join(checkpoints, 'index.sqlite'), 'this is no database, '.repeat(1000));
    await expect(open({ access: 'read' })).rejects.toMatchObject({ code: 'store-damaged' });
    store = await open();
    expect(store.recovered.join()).toContain('set aside');
    expect((await readdir(checkpoints)).some((name) => name.startsWith('index.sqlite.damaged-'))).toBe(true);
    expect((await store.verify()).orphans).toHaveLength(1);
  });

  it('a newer format is refused, not guessed at', async () => {
    store.close();
    await writeFile(
      join(root, '.osfoundry/checkpoints/format.json'),
      '{"format":"osfoundry-checkpoints","version":99}',
    );
    await expect(open()).rejects.toMatchObject({ code: 'store-newer-format' });
    await writeFile(
      join(root, '.osfoundry/checkpoints/format.json'),
      '{"format":"osfoundry-checkpoints","version":1}',
    );
    store = await open();
  });

  it('an index.json of an earlier app is taken over once, its bad rows are said, and it stays', async () => {
    store.close();
    await rm(join(root, '.osfoundry'), { recursive: true });
    store = await open();
    const sha256 = await store.putBlob(Buffer.from('old content'));
    store.close();
    await rm(join(root, '.osfoundry/checkpoints/index.sqlite'));
    const file = join(root, '.osfoundry/checkpoints/index.json');
    const list = [
      {
        turn: 4,
        label: 'an old turn',
        at: 1000,
        files: [
          { path: 'a.txt', pre: { kind: 'content', sha256, bytes: 11 } },
          { path: 'big.bin', pre: { kind: 'skipped', reason: '12 MB, over the 8 MB limit' } },
          { path: '../outside', pre: { kind: 'absent' } },
        ],
      },
    ];
    await writeFile(file, JSON.stringify(list));
    store = await open();
    expect(store.recovered.join('\n')).toMatch(/1 turn of[\s\S]*outside/);
    expect(store.captures(4 as TurnNumber).map(({ path: name, pre }) => [name, pre.kind])).toEqual([
      ['a.txt', 'content'],
      ['big.bin', 'skipped'],
    ]);
    expect(begin().turn).toBe(5);
    await reopen();
    expect(store.recovered).toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(list);
  });
});

describe('care', () => {
  it('I5 a prune removes the oldest turns and only blobs that nothing names', async () => {
    for (const text of ['one', 'two', 'three']) {
      const entry = begin(text);
      await write(entry, 'a.txt', await content(entry, text), unheld('x'));
      await write(entry, 'shared.txt', await content(entry, 'shared'), unheld('x'));
      store.finishTurn(entry.turn, 'done');
    }
    const dry = await store.prune({ keepTurns: 1, dryRun: true });
    expect(dry).toEqual({ turnsRemoved: 2, blobsRemoved: 2, bytesFreed: 6 });
    expect(store.entries()).toHaveLength(3);
    expect(await store.prune({ keepTurns: 1 })).toEqual(dry);
    expect(store.entries().map(({ label }) => label)).toEqual(['three']);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 2, orphans: [] });
  });

  it('a prune by size goes on until it fits, and never over what the baseline names', async () => {
    const entry = begin();
    await write(entry, 'a.txt', await content(entry, 'x'.repeat(100)), unheld('x'));
    store.finishTurn(entry.turn, 'done');
    const held = await store.putBlob(Buffer.from('y'.repeat(50)));
    store.updateBaseline({
      upsert: [
        {
          path: path('b.txt'),
          state: { kind: 'content', sha256: held, bytes: 50, mode: 0o644 },
          sizeBytes: 50,
          mtimeNs: 1_700_000_000_123_456_789n,
          ctimeNs: 2n,
          inode: 3n,
        },
      ],
      remove: [],
    });
    expect(await store.prune({ maxBytes: 60 })).toMatchObject({ turnsRemoved: 1, bytesFreed: 100 });
    expect([...store.baseline()]).toMatchObject([{ path: 'b.txt', mtimeNs: 1_700_000_000_123_456_789n }]);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 1 });
  });

  it('I3 verify finds missing and damaged blobs, and a read for a restore refuses them', async () => {
    const entry = begin();
    const damaged = await content(entry, 'damaged');
    const missing = await content(entry, 'missing');
    await write(entry, 'd', damaged, unheld('x'));
    await write(entry, 'm', missing, unheld('x'));
    if (damaged.kind !== 'content' || missing.kind !== 'content') throw new Error('unreachable');
    const blobs = join(root, '.osfoundry/checkpoints/blobs');
    await writeFile(join(blobs, damaged.sha256), 'tampered');
    await rm(join(blobs, missing.sha256));
    expect(await store.verify()).toMatchObject({
      ok: false,
      damaged: [damaged.sha256],
      missing: [missing.sha256],
    });
    await expect(store.readBlob(damaged.sha256)).rejects.toMatchObject({ code: 'blob-damaged' });
    await expect(store.readBlob(missing.sha256)).rejects.toMatchObject({ code: 'blob-missing' });
    await writeFile(join(blobs, damaged.sha256), 'damaged');
    await writeFile(join(blobs, missing.sha256), 'missing');
  });

  it('R9 capture cost does not grow with the captures before it: every look-up goes by an index', async () => {
    const calls: string[] = [];
    store.close();
    store = await open({ durability: 'process', onDatabaseCall: (call) => calls.push(call) });
    const count = async (): Promise<number> => {
      const entry = begin();
      calls.length = 0;
      await write(entry, 'a.txt', await content(entry, String(entry.turn)), unheld('x'));
      return calls.length;
    };
    const first = await count();
    for (let index = 0; index < 200; index += 1) await count();
    expect(await count()).toBe(first);
  });
});
