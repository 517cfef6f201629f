/** Checking a history, making it smaller, and what happens to a damaged index (electron/store/SPEC.md). */

import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../electron/base/clock.ts';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { type CheckpointStore, storePaths } from '../../electron/store/index.ts';
import { AppError } from '../../shared/errors.ts';
import { faultyFileSystem } from '../helpers/faulty-file-system.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { baselineRow, beginTurn, change, finishedTurn, held, openStoreOn, unheld } from '../helpers/store.ts';

let root: string;
let paths: ReturnType<typeof storePaths>;
let store: CheckpointStore;

beforeEach(async () => {
  root = await temporaryFolder();
  paths = storePaths(root);
  store = await openStoreOn(root);
  onTestFinished(() => store.close());
});

const blob = (sha256: string): string => join(paths.blobs, sha256);
const setAside = (): string[] =>
  readdirSync(paths.checkpoints).filter((name) => /\.damaged-[^.]*$/.test(name));

describe('verify', () => {
  it('R22 I3 finds missing and damaged blobs, and a read for a restore refuses them', async () => {
    const entry = beginTurn(store);
    const [fine, damaged, missing, folder] = [
      await held(entry, 'fine'),
      await held(entry, 'damaged'),
      await held(entry, 'missing'),
      await held(entry, 'folder'),
    ];
    for (const pre of [fine, damaged, missing, folder]) await change(entry, pre.sha256, pre, unheld('x'));
    const orphan = await held(store, 'named by no row');
    writeFileSync(blob(damaged.sha256), 'tampered');
    rmSync(blob(missing.sha256));
    rmSync(blob(folder.sha256));
    mkdirSync(blob(folder.sha256));
    writeFileSync(join(paths.blobs, 'not-ours'), 'left alone');
    expect(await store.verify()).toMatchObject({
      ok: false,
      turns: 1,
      blobs: 4,
      damaged: [damaged.sha256, folder.sha256].sort(),
      missing: [missing.sha256],
      orphans: [orphan.sha256],
    });
    await expect(store.readBlob(damaged.sha256)).rejects.toMatchObject({ code: 'blob-damaged' });
    await expect(store.readBlob(folder.sha256)).rejects.toMatchObject({ code: 'blob-damaged' });
    await expect(store.readBlob(missing.sha256)).rejects.toMatchObject({ code: 'blob-missing' });
    expect(readFileSync(join(paths.blobs, 'not-ours'), 'utf8')).toBe('left alone');
  });

  it('R22 can be stopped', async () => {
    await held(store, 'x');
    await expect(store.verify(undefined, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('prune', () => {
  it('I5 R23 removes the oldest turns and only blobs that nothing names; a dry run tells the same', async () => {
    for (const text of ['one', 'two', 'three'])
      await finishedTurn(store, { 'a.txt': text, 'b.txt': 'shared' });
    const dry = await store.prune({ keepTurns: 1, dryRun: true });
    expect(dry).toEqual({ turnsRemoved: 2, blobsRemoved: 2, bytesFreed: 6 });
    expect(store.entries()).toHaveLength(3);
    expect(await store.prune({ keepTurns: 1 })).toEqual(dry);
    expect(store.entries().map(({ turn }) => turn)).toEqual([3]);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 2, orphans: [] });
  });

  it('R23 I5 by size: goes on until it fits, keeps what the baseline names and the newest turns', async () => {
    for (const letter of ['a', 'b', 'c']) await finishedTurn(store, { file: letter.repeat(100) });
    const kept = await held(store, 'y'.repeat(50));
    store.updateBaseline({ upsert: [baselineRow('b.txt', kept)], remove: [] });
    expect(await store.prune({ maxBytes: 300 })).toMatchObject({ turnsRemoved: 1, bytesFreed: 100 });
    expect(await store.prune({ maxBytes: 300 })).toMatchObject({ turnsRemoved: 0 });
    expect(await store.prune({ maxBytes: 10, keepTurns: 1 })).toMatchObject({ turnsRemoved: 1 });
    expect(await store.prune({ maxBytes: 10 })).toMatchObject({ turnsRemoved: 1 });
    expect([...store.baseline()]).toMatchObject([{ path: 'b.txt', mtimeNs: 1_700_000_000_123_456_789n }]);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 1, orphans: [] });
  });

  it('R23 never touches a turn that runs, nor what it has put and not named yet', async () => {
    const running = beginTurn(store);
    const pre = await held(running, 'in use');
    await finishedTurn(store, { a: 'later' });
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({ turnsRemoved: 0, blobsRemoved: 0 });
    await change(running, 'a', pre, unheld('x'));
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 2 });
  });

  it('R23 I1 content that is put while it is just being removed is whole, or is not named', async () => {
    await finishedTurn(store, { a: 'comes and goes' });
    const pruning = store.prune({ keepTurns: 0 });
    const entry = beginTurn(store);
    const puts = Array.from({ length: 20 }, () => held(entry, 'comes and goes'));
    const [pre] = await Promise.all(puts);
    await pruning;
    if (pre === undefined) throw new Error('unreachable');
    await change(entry, 'a', pre, unheld('x'));
    expect(await store.verify()).toMatchObject({ ok: true, missing: [] });
  });

  it('R23 stopped, it leaves contents without rows, and the next one removes them', async () => {
    await finishedTurn(store, { a: 'one', b: 'two', c: 'three' });
    const stop = new AbortController();
    const report = await store.prune({ keepTurns: 0 }, () => stop.abort(), stop.signal);
    expect(report).toMatchObject({ turnsRemoved: 1, blobsRemoved: 1 });
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 2 });
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({ turnsRemoved: 0, blobsRemoved: 2 });
    expect(readdirSync(paths.blobs)).toEqual([]);
  });

  it('I5 rows are gone, durably, before the first file is', async () => {
    store.close();
    const log: string[] = [];
    store = await openStoreOn(root, {
      fs: faultyFileSystem(nodeFileSystem, ({ name, path }) => {
        if (name === 'unlink' && path.startsWith(paths.blobs)) log.push('unlink');
      }),
      onDatabaseCall: (call) => log.push(call.split(' ')[0] ?? ''),
    });
    await finishedTurn(store, { a: 'one', b: 'two' });
    log.length = 0;
    await store.prune({ keepTurns: 0 });
    expect(log).toEqual(['BEGIN', 'DELETE', 'DELETE', 'COMMIT', 'unlink', 'unlink']);
  });

  it('R23 what only an older baseline held is dropped, and nothing else', async () => {
    const [old, named] = [await held(store, 'old'), await held(store, 'also in a turn')];
    store.updateBaseline({ upsert: [baselineRow('a', old), baselineRow('b', named)], remove: [] });
    await finishedTurn(store, { b: 'also in a turn' });
    const now = await held(store, 'now');
    const replaced = store.updateBaseline({
      upsert: [baselineRow('a', now), baselineRow('b', now)],
      remove: [],
    });
    expect([...replaced].sort()).toEqual([old.sha256, named.sha256].sort());
    await store.dropUnnamed(replaced);
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 2, orphans: [] });
    expect(store.hasBlob(old.sha256)).toBe(false);
  });
});

describe('a damaged index', () => {
  it('R20 garbage is set aside and a new history begins; the blobs stay, also through a prune', async () => {
    const { sha256 } = await held(store, 'kept');
    const kept = await finishedTurn(store, { 'a.txt': 'kept', 'b.txt': 'other' });
    const damaged = readFileSync(paths.index);
    store.close();
    const bytes = Buffer.concat([Buffer.from('no database '), readFileSync(paths.index).subarray(100)]);
    expect(damaged.length).toBeGreaterThan(0);
    writeFileSync(paths.index, bytes);
    await expect(openStoreOn(root, { access: 'read' })).rejects.toMatchObject({ code: 'store-damaged' });
    store = await openStoreOn(root);
    const [name = ''] = setAside();
    expect(store.recovered.join()).toContain(name);
    expect(readFileSync(join(paths.checkpoints, name))).toEqual(bytes);
    expect(kept.turn).toBe(1);
    expect(await store.verify()).toMatchObject({ ok: true, turns: 0, blobs: 2 });
    const stray = await held(store, 'nobody names this');
    store.close();
    store = await openStoreOn(root);
    expect(await store.prune({ keepTurns: 0 })).toMatchObject({ blobsRemoved: 1 });
    expect(await store.checkBlob(sha256)).toBe('ok');
    expect(await store.checkBlob(stray.sha256)).toBe('missing');
  });

  it('R20 two that are damaged at the same moment do not replace each other', async () => {
    const clock = { ...systemClock, nowMs: () => 0 };
    for (let time = 1; time <= 2; time += 1) {
      store.close();
      writeFileSync(paths.index, `garbage ${time}`.repeat(1000));
      store = await openStoreOn(root, { clock });
      expect(setAside()).toHaveLength(time);
    }
  });

  it('R20 the log of an index that is gone is set aside with a new history, and not written into it', async () => {
    await finishedTurn(store, { a: 'x' });
    const log = readFileSync(`${paths.index}-wal`);
    expect(log.length).toBeGreaterThan(0);
    store.close();
    rmSync(paths.index);
    writeFileSync(`${paths.index}-wal`, log);
    store = await openStoreOn(root);
    expect(store.entries()).toEqual([]);
    expect(readdirSync(paths.checkpoints).some((name) => /damaged.*-wal$/.test(name))).toBe(true);
  });

  it.each([0.2, 0.5, 0.9])('R20 one that was cut off at %d of its length is set aside', async (part) => {
    for (let turn = 0; turn < 20; turn += 1) await finishedTurn(store, { [`f${turn}`]: `${turn}` });
    store.close();
    truncateSync(paths.index, Math.floor(readFileSync(paths.index).length * part));
    store = await openStoreOn(root);
    expect(setAside()).toHaveLength(1);
    expect((await store.verify()).blobs).toBe(20);
  });
});

describe('errors', () => {
  it('R24 what fails inside of a commit is all undone, and the store goes on', async () => {
    let fail = false;
    store.close();
    store = await openStoreOn(root, {
      onDatabaseCall: (call) => {
        if (fail && call === 'COMMIT') throw Object.assign(new Error('ENOSPC: planted'), { code: 'ENOSPC' });
      },
    });
    const entry = beginTurn(store);
    const pre = await held(entry, 'x');
    fail = true;
    const failed: unknown = await change(entry, 'a', pre, unheld('y')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AppError);
    expect(failed).toMatchObject({ code: 'disk-full', message: expect.stringMatching(/^The disk is full/) });
    fail = false;
    expect(entry.captures()).toEqual([]);
    await change(entry, 'a', pre, unheld('y'));
    expect(entry.captures()).toHaveLength(1);
  });
});
