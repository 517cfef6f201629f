/** What the store records of a turn (electron/store/SPEC.md). */

import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CheckpointStore, type OpenEntry, storePaths } from '../../electron/store/index.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { beginTurn, change, finishedTurn, held, openStoreOn, unheld } from '../helpers/store.ts';

const path = parseRelPath;
let root: string;
let store: CheckpointStore;

beforeEach(async () => {
  root = await temporaryFolder();
  store = await openStoreOn(root);
  onTestFinished(async () => {
    expect(await store.verify()).toMatchObject({ ok: true });
    store.close();
  });
});

async function reopen(): Promise<void> {
  store.close();
  store = await openStoreOn(root);
}

const blobNames = (): Promise<string[]> => readdir(storePaths(root).blobs);

describe('captures', () => {
  it('R1 the bytes are a blob and the capture is committed before a write is announced as possible', async () => {
    const entry = beginTurn(store);
    const pre = await held(entry, 'before');
    await entry.intend(path('a.txt'), pre, unheld('after'), 'temp');
    expect(await blobNames()).toEqual([pre.sha256]);
    expect(await readFile(join(storePaths(root).blobs, pre.sha256), 'utf8')).toBe('before');
    await reopen();
    expect(store.pendingCaptures()).toMatchObject([{ path: 'a.txt', pre, post: null, temp: 'temp' }]);
    store.settleCapture(entry.turn, path('a.txt'), pre);
  });

  it('R2 the first capture of a path in a turn wins', async () => {
    const entry = beginTurn(store);
    const first = await held(entry, 'first');
    await change(entry, 'a.txt', first, unheld('x'));
    await change(entry, 'a.txt', await held(entry, 'second'), unheld('y'));
    expect(entry.hasCapture(path('a.txt'))).toBe(true);
    expect(entry.captures()).toMatchObject([{ pre: first, post: unheld('y') }]);
  });

  it('R2 the first capture wins over what a scan sees afterwards', async () => {
    const entry = beginTurn(store);
    const pre = await held(entry, 'tool');
    await change(entry, 'a.txt', pre, unheld('x'));
    const marks = ['changed during a command'];
    entry.observed([
      { path: path('a.txt'), pre: await held(entry, 'scan'), post: unheld('z'), marks: ['m'] },
      { path: path('b.txt'), pre: ABSENT, post: unheld('b'), marks },
    ]);
    expect(entry.captures()).toMatchObject([
      { path: 'a.txt', pre, post: unheld('z'), marks: ['m'] },
      { path: 'b.txt', pre: ABSENT, marks },
    ]);
  });

  it('R3 same bytes are one blob', async () => {
    const entry = beginTurn(store);
    await change(entry, 'a.txt', await held(entry, 'same'), unheld('x'));
    await change(entry, 'b.txt', await held(entry, 'same'), unheld('x'));
    expect(store.stats()).toMatchObject({ captures: 2, blobs: 1, bytesLogical: 8 });
    expect(await blobNames()).toHaveLength(1);
  });

  it.each(['gone', 'cut short'])(
    'R3 a blob whose file is %s is written again when its bytes are put',
    async (how) => {
      const { sha256 } = await held(await finishedTurn(store, { a: 'precious' }), 'precious');
      await reopen();
      const file = join(storePaths(root).blobs, sha256);
      await (how === 'gone' ? rm(file) : truncate(file, 3));
      await held(beginTurn(store), 'precious');
      expect(await readFile(file, 'utf8')).toBe('precious');
    },
  );

  it('R4 R5 R12 every kind of state comes back as it was put', async () => {
    const entry = beginTurn(store);
    const states: FileState[] = [
      ABSENT,
      { kind: 'symlink', target: '../elsewhere' },
      { kind: 'directory', mode: 0o750 },
      { kind: 'skipped', reason: '12 MB, over the 8 MB limit', bytes: 12, mode: 0o644 },
      await held(entry, 'text', 0o600),
      await held(entry, 'program', 0o755),
    ];
    for (const [index, state] of states.entries()) await change(entry, `f${index}`, state, ABSENT);
    await reopen();
    expect(store.captures(entry.turn).map(({ pre }) => pre)).toEqual(states);
  });

  it('R9 capture cost does not grow with the captures before it: the same calls', async () => {
    const calls: string[] = [];
    store.close();
    store = await openStoreOn(root, { durability: 'process', onDatabaseCall: (call) => calls.push(call) });
    const count = async (entry: OpenEntry, name: string): Promise<number> => {
      calls.length = 0;
      await change(entry, name, await held(entry, `${entry.turn} ${name}`), unheld('x'));
      return calls.length;
    };
    const first = await count(beginTurn(store), 'a.txt');
    const entry = beginTurn(store);
    for (let index = 0; index < 200; index += 1) await count(entry, `f${index}`);
    expect(await count(entry, 'last')).toBe(first);
    expect(await count(beginTurn(store), 'a.txt')).toBe(first);
  });

  it('R9 capture cost does not grow: every statement of a capture finds its rows by an index', async () => {
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    await reopen();
    prepare.mockClear();
    const entry = beginTurn(store);
    await change(entry, 'a.txt', await held(entry, 'x'), unheld('x'));
    await change(entry, 'a.txt', await held(entry, 'y'), unheld('y'));
    store.finishTurn(entry.turn, 'done');
    const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => !/^PRAGMA/i.test(sql));
    prepare.mockRestore();
    expect(statements.length).toBeGreaterThan(5);
    const index = new Database(storePaths(root).index, { readonly: true });
    for (const sql of statements) {
      const values = Array<null>(sql.split('?').length - 1).fill(null);
      const plan = index.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      expect(plan.map(({ detail }) => detail).join('; '), sql).not.toMatch(/SCAN/);
    }
    index.close();
  });

  it.each([
    ['\n  \n fix the title \nand more', 'fix the title'],
    ['x'.repeat(121), 'x'.repeat(120)],
    [`${'x'.repeat(119)}👩‍👩‍👧`, 'x'.repeat(119)],
    ['é'.repeat(121), 'é'.repeat(120)],
    ['', ''],
  ])('R10 the label of %j is its first line, cut at 120 characters, none split', (prompt, label) => {
    expect(store.entry(beginTurn(store, prompt).turn)?.label).toBe(label);
  });

  it('R13 numbers count from 1 and are never used again, also after a prune of everything', async () => {
    const first = await finishedTurn(store, {});
    const second = await finishedTurn(store, {});
    expect([first.turn, second.turn]).toEqual([1, 2]);
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({ turnsRemoved: 2 });
    await reopen();
    expect(beginTurn(store).turn).toBe(3);
  });
});

describe('what a row may name', () => {
  it('I1 no content that is not whole on disk', async () => {
    const entry = beginTurn(store);
    const never = unheld('never put');
    await expect(entry.intend(path('a.txt'), never, unheld('x'), null)).rejects.toMatchObject({
      code: 'blob-missing',
    });
    const seen = [{ path: path('a.txt'), pre: never, post: unheld('x') }];
    expect(() => entry.observed(seen)).toThrow(/not in the history/);
    expect(entry.captures()).toEqual([]);
  });

  it('I1 what a batch put counts only once it is synced', async () => {
    const entry = beginTurn(store);
    const batch = store.blobBatch();
    const sha256 = await batch.put(Buffer.from('batched'));
    const pre: FileState = { kind: 'content', sha256, bytes: 7, mode: 0o644 };
    await expect(entry.intend(path('a'), pre, ABSENT, null)).rejects.toMatchObject({ code: 'blob-missing' });
    await batch.sync();
    await change(entry, 'a', pre, ABSENT);
    expect(await store.checkBlob(sha256)).toBe('ok');
  });

  it('I1 a file in blobs/ without a row is not trusted: it is written again', async () => {
    const { sha256 } = await held(store, 'mine');
    await reopen();
    await truncate(join(storePaths(root).blobs, sha256));
    expect(store.hasBlob(sha256)).toBe(false);
    await held(store, 'mine');
    expect(Buffer.from(await store.readBlob(sha256)).toString()).toBe('mine');
  });

  it('I3 a blob is never changed in place: a file that is open keeps what it holds', async () => {
    const entry = await finishedTurn(store, { a: 'content' });
    const [capture] = store.captures(entry.turn);
    if (capture?.pre.kind !== 'content') throw new Error('not captured');
    const { sha256 } = capture.pre;
    const before = await readFile(join(storePaths(root).blobs, sha256));
    for (let index = 0; index < 3; index += 1) await held(beginTurn(store), 'content');
    expect(await readFile(join(storePaths(root).blobs, sha256))).toEqual(before);
    expect(await blobNames()).toEqual([sha256]);
  });
});

describe('changes that do not come to their end', () => {
  it('I7 one that was announced and not ended is pending, and settling it marks what the disk held', async () => {
    const entry = beginTurn(store);
    await entry.intend(path('a'), ABSENT, unheld('x'), 'temp');
    await reopen();
    store.settleCapture(entry.turn, path('a'), unheld('found'));
    expect(store.capture(entry.turn, path('a'))).toMatchObject({
      post: unheld('found'),
      recovered: true,
      temp: null,
    });
    expect(store.pendingCaptures()).toEqual([]);
  });

  it('R2 an abandoned first change leaves no capture; an abandoned later one leaves what was', async () => {
    const entry = beginTurn(store);
    const pre = await held(entry, 'before');
    await entry.intend(path('a.txt'), pre, unheld('x'), null);
    await entry.abandoned(path('a.txt'));
    expect(entry.captures()).toEqual([]);
    await change(entry, 'a.txt', pre, unheld('x'));
    await entry.intend(path('a.txt'), pre, unheld('y'), 'temp');
    await entry.abandoned(path('a.txt'));
    expect(entry.captures()).toMatchObject([{ pre, post: unheld('x'), temp: null }]);
  });
});
