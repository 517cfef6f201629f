/** The baseline over a real history: what is kept when, across scans, crashes, stops and restarts. */

import { readdirSync } from 'node:fs';
import { mkdir, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePaths } from '../../electron/store/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import { baselineOn, content, directory, put, type TestBaseline } from '../helpers/baseline.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const numbered = (count: number, text: (index: number) => string = String): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index % 37}/sub/f${index}.txt`, text(index)]),
  );

async function expectWhole({ store }: TestBaseline): Promise<void> {
  expect(await store.verify()).toMatchObject({ ok: true, missing: [], damaged: [] });
}

describe('a step', () => {
  it('I1: hears of its changes before the baseline takes them over, and the baseline names only whole contents', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a', 'b.txt': 'b' });
    const opened = await baselineOn(root);
    await opened.baseline.scan();
    await put(root, { 'a.txt': 'changed' });
    await unlink(join(root, 'b.txt'));
    const entry = opened.store.beginTurn({ label: 'step', agent: 'test', chatHead: null });
    await opened.baseline.scan({
      found: async ({ changes }) => {
        expect(opened.rows()).toEqual({ 'a.txt': content('a'), 'b.txt': content('b') });
        entry.observed(changes.map(({ path, before, after }) => ({ path, pre: before, post: after })));
      },
    });
    expect(opened.rows()).toEqual({ 'a.txt': content('changed') });
    expect(opened.store.captures(entry.turn).map(({ path, pre, post }) => [path, pre, post])).toEqual([
      ['b.txt', content('b'), ABSENT],
      ['a.txt', content('a'), content('changed')],
    ]);
    await expectWhole(opened);
  });

  it('whose changes could not be recorded is found again, by this process and by the next', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a', 'dir/b.txt': 'b' });
    const crashed = await baselineOn(root);
    await crashed.baseline.scan();
    await put(root, { 'a.txt': 'changed', 'dir/new/c.txt': 'c' });
    await unlink(join(root, 'dir/b.txt'));
    const crash = (): Promise<void> =>
      crashed.baseline.scan({ found: () => Promise.reject(new Error('crash')) }).then();
    await expect(crash()).rejects.toThrow('crash');
    await expect(crash()).rejects.toThrow('crash');
    await crashed.close();
    const next = await baselineOn(root);
    expect(await next.changes()).toEqual({
      'a.txt': [content('a'), content('changed')],
      'dir/b.txt': [content('b'), ABSENT],
      'dir/new': [ABSENT, directory()],
      'dir/new/c.txt': [ABSENT, content('c')],
    });
    expect(await next.changes()).toEqual({});
    await expectWhole(next);
  });

  it('that changes thousands of files is found as a whole', async () => {
    const root = await temporaryFolder();
    const opened = await baselineOn(root);
    await put(root, numbered(1200));
    await opened.baseline.scan();
    await put(
      root,
      numbered(1500, (index) => (index % 2 === 0 ? `${index} changed` : String(index))),
    );
    const changes = await opened.changes();
    expect(Object.keys(changes)).toHaveLength(600 + 300);
    expect(changes['d2/sub/f2.txt']).toEqual([content('2'), content('2 changed')]);
    expect(await opened.changes()).toEqual({});
    await expectWhole(opened);
  });
});

describe('what was kept', () => {
  it('is known after a restart: nothing is reported that did not change meanwhile', async () => {
    const root = await temporaryFolder();
    await put(root, { ...numbered(1100), 'run.sh': '#!/bin/sh\n' });
    await symlink('run.sh', join(root, 'link'));
    await mkdir(join(root, 'empty'));
    const first = await baselineOn(root);
    await first.baseline.scan();
    const rows = first.rows();
    await first.close();
    const second = await baselineOn(root);
    expect(await second.changes()).toEqual({});
    expect(second.rows()).toEqual(rows);
    await second.close();
    await put(root, { 'd1/sub/f1.txt': 'while it was closed' });
    await rename(join(root, 'link'), join(root, 'moved'));
    const third = await baselineOn(root);
    const target = { kind: 'symlink', target: 'run.sh' };
    expect(await third.changes()).toEqual({
      'd1/sub/f1.txt': [content('1'), content('while it was closed')],
      link: [target, ABSENT],
      moved: [ABSENT, target],
    });
  });

  it('drops contents that nothing names any more, and no others', async () => {
    const root = await temporaryFolder();
    await put(root, { a: 'first', b: 'shared', c: 'shared' });
    const opened = await baselineOn(root);
    await opened.baseline.scan();
    await put(root, { a: 'second', b: 'other' });
    await opened.baseline.scan();
    expect(await opened.store.verify()).toMatchObject({ ok: true, blobs: 3, orphans: [] });
    await put(root, { a: 'first' });
    await opened.baseline.scan();
    expect(opened.rows()).toEqual({ a: content('first'), b: content('other'), c: content('shared') });
    await expectWhole(opened);
  });
});

describe('reading', () => {
  it('is one thing at a time: of two scans at once, only the first finds the changes', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a' });
    const { baseline, changes } = await baselineOn(root);
    await baseline.scan();
    await put(root, { 'a.txt': 'b' });
    expect(await Promise.all([changes(), changes()])).toEqual([
      { 'a.txt': [content('a'), content('b')] },
      {},
    ]);
  });

  it('in the background says that it goes on, and whoever needs the baseline waits for it', async () => {
    const root = await temporaryFolder();
    await put(root, numbered(500));
    const { baseline, rows } = await baselineOn(root);
    expect(baseline.isReading).toBe(false);
    const reading = baseline.readInBackground();
    expect(baseline.isReading).toBe(true);
    await baseline.scan();
    expect(baseline.isReading).toBe(false);
    expect(Object.keys(rows())).toHaveLength(500 + 2 * 37);
    await reading;
  });

  it('that is stopped keeps what it has, and the next one completes it', async () => {
    const root = await temporaryFolder();
    await put(root, numbered(3000));
    const opened = await baselineOn(root);
    const stop = new AbortController();
    const contents = storePaths(root).blobs;
    // As soon as there is something to keep.
    const watch = setInterval(() => {
      if (readdirSync(contents).length > 0) stop.abort();
    }, 1);
    const stopped = opened.baseline.scan({ signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    clearInterval(watch);
    const kept = Object.keys(opened.rows()).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(3000);
    await expectWhole(opened);
    await opened.baseline.scan();
    expect(Object.keys(opened.rows())).toHaveLength(3000 + 2 * 37);
    await expectWhole(opened);
  });

  it('that is stopped before it began changes nothing', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a' });
    const { baseline, rows } = await baselineOn(root);
    await expect(baseline.scan({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(rows()).toEqual({});
    await baseline.scan();
    expect(rows()).toEqual({ 'a.txt': content('a') });
  });

  it('ends when the folder is closed; closing twice is the same', async () => {
    const root = await temporaryFolder();
    await put(root, numbered(2000));
    const { baseline } = await baselineOn(root);
    const reading = baseline.readInBackground().catch((error: unknown) => error);
    await Promise.all([baseline.close(), baseline.close()]);
    expect(await reading).toMatchObject({ code: 'cancelled' });
    await expect(baseline.scan()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('of one folder does not mix with that of another', async () => {
    const [one, two] = [await temporaryFolder(), await temporaryFolder()];
    await put(
      one,
      numbered(1050, () => 'one'),
    );
    await put(
      two,
      numbered(1050, () => 'two'),
    );
    const [first, second] = [await baselineOn(one), await baselineOn(two)];
    await Promise.all([first.baseline.scan(), second.baseline.scan()]);
    expect(first.rows()['d1/sub/f1.txt']).toEqual(content('one'));
    expect(second.rows()['d1/sub/f1.txt']).toEqual(content('two'));
    await put(two, { 'd1/sub/f1.txt': 'changed' });
    expect(await Promise.all([first.changes(), second.changes()])).toEqual([
      {},
      { 'd1/sub/f1.txt': [content('two'), content('changed')] },
    ]);
  });

  it('a small folder shows no progress', async () => {
    const root = await temporaryFolder();
    await put(root, { 'a.txt': 'a' });
    const { baseline, events } = await baselineOn(root);
    await baseline.scan();
    events.length = 0;
    await baseline.scan();
    expect(events).toEqual([]);
  });

  it('without waiting for the disk, where only crashes of the process are to be covered', async () => {
    const root = await temporaryFolder();
    await put(root, numbered(100));
    const opened = await baselineOn(root, { durability: 'process' });
    await opened.baseline.scan();
    expect(Object.keys(opened.rows())).toHaveLength(100 + 2 * 37);
    await expectWhole(opened);
  });
});
