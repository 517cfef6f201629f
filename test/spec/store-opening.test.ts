/** How a history is opened: format, tables, the one writer, reading, taking over an earlier one (electron/store/SPEC.md). */

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../electron/base/hash.ts';
import { forgetStore, storePaths } from '../../electron/store/index.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { asOrdinaryUser } from '../helpers/as-user.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { beginTurn, finishedTurn, held, openStoreOn } from '../helpers/store.ts';

let root: string;
let paths: ReturnType<typeof storePaths>;

beforeEach(async () => {
  root = await temporaryFolder();
  paths = storePaths(root);
});

async function oneTurn(): Promise<void> {
  const store = await openStoreOn(root);
  await finishedTurn(store, { 'a.txt': 'before' });
  store.close();
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the format', () => {
  it('R14 a newer format is refused for writing and for reading, and nothing is changed', async () => {
    await oneTurn();
    const newer = '{"format":"osfoundry-checkpoints","version":99}';
    writeFileSync(paths.format, newer);
    for (const access of ['write', 'read'] as const) {
      await expect(openStoreOn(root, { access })).rejects.toMatchObject({ code: 'store-newer-format' });
    }
    expect(readFileSync(paths.format, 'utf8')).toBe(newer);
  });

  it('R14 an index of a newer version is refused, and not set aside', async () => {
    await oneTurn();
    const index = new Database(paths.index);
    index.pragma('user_version = 99');
    index.close();
    for (const access of ['write', 'read'] as const) {
      await expect(openStoreOn(root, { access })).rejects.toMatchObject({ code: 'store-newer-format' });
    }
    expect(readdirSync(paths.checkpoints).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('R14 a format that is not ours is refused; an empty one, left by a crash, is written again', async () => {
    await oneTurn();
    writeFileSync(paths.format, '{"format":"something else"}');
    await expect(openStoreOn(root)).rejects.toMatchObject({ code: 'store-damaged' });
    writeFileSync(paths.format, '');
    writeFileSync(paths.ignore, '');
    await oneTurn();
    expect(JSON.parse(readFileSync(paths.format, 'utf8'))).toEqual({
      format: 'osfoundry-checkpoints',
      version: 1,
    });
    expect(readFileSync(paths.ignore, 'utf8')).toBe('*\n');
  });

  it('R15 an empty index gets its tables; one with tables that we did not make is set aside', async () => {
    await oneTurn();
    rmSync(paths.index);
    const empty = new Database(paths.index);
    empty.pragma('journal_mode = WAL');
    empty.close();
    const store = await openStoreOn(root);
    expect(store.recovered).toEqual([]);
    expect(beginTurn(store).turn).toBe(1);
    store.close();

    const index = new Database(paths.index);
    index.exec("CREATE TRIGGER evil AFTER INSERT ON entries BEGIN UPDATE entries SET label = 'evil'; END");
    index.close();
    await expect(openStoreOn(root, { access: 'read' })).rejects.toMatchObject({ code: 'store-damaged' });
    const again = await openStoreOn(root);
    expect(again.recovered.join()).toContain('set aside');
    expect(again.entry(beginTurn(again, 'mine').turn)?.label).toBe('mine');
    again.close();
  });

  it('R15 a step that fails leaves the tables of the version before, and is made by the next opening', async () => {
    const failing = openStoreOn(root, {
      onDatabaseCall: (call) => {
        if (call.startsWith('migration')) throw new Error('planted');
      },
    });
    await expect(failing).rejects.toMatchObject({ code: 'io-failed' });
    const index = new Database(paths.index);
    expect(index.pragma('user_version', { simple: true })).toBe(0);
    expect(index.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
    index.close();
    await oneTurn();
  });
});

describe('one writer', () => {
  it('R16 the second is told who; readers need no lock', async () => {
    const store = await openStoreOn(root, { holder: 'the first window' });
    await expect(openStoreOn(root)).rejects.toMatchObject({
      code: 'store-locked',
      message: expect.stringContaining(`the first window (process ${process.pid})`),
    });
    const reader = await openStoreOn(root, { access: 'read' });
    beginTurn(store, 'seen');
    expect(reader.entries()).toMatchObject([{ label: 'seen' }]);
    expect(() => reader.setMeta('a', 'b')).toThrow(/reading only/);
    reader.close();
    store.close();
    (await openStoreOn(root)).close();
  });

  it('R16 the second waits for the first to close', async () => {
    const store = await openStoreOn(root);
    const waiting = openStoreOn(root, { lockWaitMs: 20_000 });
    setImmediate(() => store.close());
    (await waiting).close();
  });

  it('R16 a history is not removed while it is in use; afterwards nothing of it is left', async () => {
    const store = await openStoreOn(root);
    await held(store, 'x');
    await expect(forgetStore(root)).rejects.toMatchObject({ code: 'store-locked' });
    expect((await store.verify()).blobs).toBe(1);
    store.close();
    await forgetStore(root);
    expect(readdirSync(paths.checkpoints)).toEqual(['lock']);
  });
});

describe('reading', () => {
  it('R17 leaves no trace: a folder without a store stays without one', async () => {
    const reader = await openStoreOn(root, { access: 'read' });
    expect(reader.entries()).toEqual([]);
    expect(await reader.verify()).toMatchObject({ ok: true, turns: 0, blobs: 0 });
    reader.close();
    expect(readdirSync(root)).toEqual([]);
  });

  it('R17 works where nothing may be written; writing is refused there, in words', async () => {
    await asOrdinaryUser(root, async () => {
      await oneTurn();
      const all = [root, paths.home, paths.checkpoints, paths.blobs, paths.temporary];
      for (const path of all) chmodSync(path, 0o500);
      const before = readdirSync(paths.checkpoints);
      const reader = await openStoreOn(root, { access: 'read' });
      expect(reader.entries()).toHaveLength(1);
      expect(await reader.verify()).toMatchObject({ ok: true, blobs: 1 });
      reader.close();
      await expect(openStoreOn(root)).rejects.toMatchObject({ code: 'folder-read-only' });
      expect(readdirSync(paths.checkpoints)).toEqual(before);
      for (const path of all) chmodSync(path, 0o700);
    });
  });

  it('R18 only the owner may look into it, also where the folders were there with wider modes', async () => {
    mkdirSync(paths.checkpoints, { recursive: true, mode: 0o755 });
    await oneTurn();
    for (const path of [paths.home, paths.checkpoints, paths.blobs]) expect(modeOf(path), path).toBe(0o700);
    const [blob = ''] = readdirSync(paths.blobs);
    expect(modeOf(join(paths.blobs, blob))).toBe(0o600);
    expect(readFileSync(paths.ignore, 'utf8')).toBe('*\n');
  });
});

describe('an index.json of an earlier app', () => {
  const old = Buffer.from('old content');
  const sha256 = sha256Of(old);

  function plant(list: unknown): void {
    mkdirSync(paths.blobs, { recursive: true });
    writeFileSync(join(paths.blobs, sha256), old);
    writeFileSync(paths.importable, typeof list === 'string' ? list : JSON.stringify(list));
  }

  it('R21 is taken over once, what was not is said, and it stays', async () => {
    const files = [
      { path: 'a.txt', pre: { kind: 'content', sha256, bytes: 11 } },
      { path: 'lost.txt', pre: { kind: 'content', sha256: 'f'.repeat(64), bytes: 3 } },
      { path: 'big.bin', pre: { kind: 'skipped', reason: '12 MB, over the 8 MB limit', bytes: 1.5 } },
      { path: 'new.txt', pre: { kind: 'absent' } },
      { path: '../outside', pre: { kind: 'absent' } },
      { path: '.git/config', pre: { kind: 'absent' } },
    ];
    const list = [{ turn: 4, label: `an old turn${'x'.repeat(200)}`, at: 1000.4, files }];
    plant(list);
    const store = await openStoreOn(root);
    expect(store.recovered.join('\n')).toMatch(/1 turn of[\s\S]*outside[\s\S]*\.git\/config/);
    expect(store.entry(4 as TurnNumber)).toMatchObject({
      kind: 'agent',
      atMs: 1000,
      outcome: 'done',
      status: 'kept',
    });
    expect(store.entry(4 as TurnNumber)?.label).toHaveLength(120);
    expect(store.captures(4 as TurnNumber).map(({ path, pre }) => [path, pre.kind])).toEqual([
      ['a.txt', 'content'],
      ['lost.txt', 'skipped'],
      ['big.bin', 'skipped'],
      ['new.txt', 'absent'],
    ]);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 1, orphans: [] });
    expect(beginTurn(store).turn).toBe(5);
    store.close();
    const again = await openStoreOn(root);
    expect(again.recovered).toEqual([]);
    again.close();
    expect(JSON.parse(readFileSync(paths.importable, 'utf8'))).toEqual(list);
  });

  it('R21 one that appears in a history of ours is not looked at', async () => {
    await oneTurn();
    plant([{ turn: 9, label: 'planted', at: 1, files: [] }]);
    const store = await openStoreOn(root);
    expect(store.recovered).toEqual([]);
    expect(store.entries()).toHaveLength(1);
    store.close();
  });

  it.each([
    'not JSON',
    '{}',
    [{ turn: -1 }],
    [{ turn: 2 ** 53, label: 'x', at: 1, files: [] }],
    [{ turn: 1, label: 'x', at: 1e300, files: [] }],
    [
      {
        turn: 1,
        label: 'x',
        at: 1,
        files: [null, { path: 'a', pre: { kind: 'content', sha256, bytes: -1 } }],
      },
    ],
    [1, 2].map(() => ({
      turn: 1,
      label: 'twice',
      at: 1,
      files: [{ path: 'a\0b', pre: { kind: 'absent' } }],
    })),
    Array.from({ length: 1000 }, () => null),
  ])('R21 nothing in it makes opening fail: %j', async (list) => {
    plant(list);
    const store = await openStoreOn(root);
    expect(store.recovered.join('\n')).toMatch(/taken over|could not be read/);
    expect(store.recovered.length).toBeLessThan(30);
    expect(beginTurn(store).turn).toBeLessThan(3);
    expect(await store.verify()).toMatchObject({ ok: true });
    store.close();
  });

  it('R20 R23 its contents stay when the turns that came from it are pruned', async () => {
    plant([
      { turn: 1, label: 'x', at: 1, files: [{ path: 'a', pre: { kind: 'content', sha256, bytes: 11 } }] },
    ]);
    const store = await openStoreOn(root);
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({
      turnsRemoved: 1,
      blobsRemoved: 0,
      bytesFreed: 0,
    });
    expect(readFileSync(join(paths.blobs, sha256))).toEqual(old);
    store.close();
  });
});
