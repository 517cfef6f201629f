/** Nothing is lost: plans that are no longer true, the way back from a rewind, and what can't go back. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { storePaths } from '../../electron/store/index.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';

let root: string;
let folder: RewindingFolder;

const put = (files: Record<string, string>): void => putFiles(root, files);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const open = (maxFileBytes?: number): Promise<RewindingFolder> =>
  rewindingIn(root, { durability: 'process', ...(maxFileBytes === undefined ? {} : { maxFileBytes }) });
const reopen = async (): Promise<void> => {
  folder.store.close();
  folder = await open();
};

beforeEach(async () => {
  root = await fastFolder();
  folder = await open();
});

/** A turn that writes the files. */
const writes = (files: Record<string, string>): Promise<TurnNumber> =>
  folder.turn(async (funnel, entry) => {
    for (const [path, content] of Object.entries(files)) await funnel.writeFile(entry, path, text(content));
  });

describe('plans', () => {
  it('looking at one leaves no trace', async () => {
    const turn = await writes({ a: 'new' });
    const { checkpoints } = storePaths(root);
    const filesOfStore = () =>
      readdirSync(checkpoints, { recursive: true, encoding: 'utf8' }).map((name) => {
        const { size, mtimeMs } = statSync(join(checkpoints, name));
        return `${name} ${size} ${mtimeMs}`;
      });
    const before = [await treeOf(root), filesOfStore()];
    await folder.plan(turn);
    expect([await treeOf(root), filesOfStore()]).toEqual(before);
    expect(folder.store.entries()).toHaveLength(1);
  });

  it.each<[string, () => void]>([
    ['a file of it changed', () => put({ a: 'mine' })],
    ['a file of it went away', () => rmSync(join(root, 'a'))],
    ['a directory that was to go holds something now', () => put({ 'd/mine': 'mine' })],
  ])('one that is no longer true is refused: %s', async (_, change) => {
    put({ a: 'old' });
    const turn = await writes({ a: 'new', 'd/b': 'new' });
    const { planId } = await folder.plan(turn);
    change();
    const before = await treeOf(root);
    await expect(folder.rewind(turn, { planId, conflicts: 'overwrite' })).rejects.toMatchObject({
      code: 'plan-stale',
      message: expect.stringMatching(/^Files changed since you looked/),
    });
    expect(await treeOf(root)).toEqual(before);
    expect(folder.store.entries()).toHaveLength(1);
  });

  it('one to which nothing happened, and what is no part of it, is still true', async () => {
    put({ a: 'old' });
    const turn = await writes({ a: 'new' });
    const { planId } = await folder.plan(turn);
    put({ mine: 'mine' });
    expect((await folder.rewind(turn, { planId })).restored).toEqual(['a']);
  });

  it('a new turn makes it untrue', async () => {
    put({ a: 'old' });
    const turn = await writes({ a: 'new' });
    const { planId } = await folder.plan(turn);
    await writes({ b: 'b' });
    await expect(folder.rewind(turn, { planId })).rejects.toMatchObject({ code: 'plan-stale' });
  });

  it('while a turn runs there is no going back', async () => {
    const turn = await writes({ a: 'new' });
    folder.store.beginTurn({ label: 'running', agent: 'practice', chatHead: null });
    await expect(folder.rewind(turn)).rejects.toMatchObject({ code: 'turn-running' });
    await expect(folder.redo()).rejects.toMatchObject({ code: 'turn-running' });
    expect(read('a')).toBe('new');
  });
});

describe('a second time', () => {
  it('R7 a turn that was rewound is refused with the words that it already is, also after a restart', async () => {
    const [first, second] = [await writes({ a: 'one' }), await writes({ b: 'two' })];
    await folder.rewind(first);
    for (const turn of [first, second, first]) {
      await expect(folder.rewind(turn, { conflicts: 'overwrite' })).rejects.toMatchObject({
        code: 'already-rewound',
        message: `Turn ${turn} is already rewound.`,
      });
      await reopen();
    }
  });

  it('rewinds are undone one after another, the newest first', async () => {
    put({ a: '0', b: '0' });
    const first = await writes({ a: '1', b: '1' });
    const second = await writes({ a: '2' });
    await folder.rewind(second);
    put({ b: 'mine' });
    await folder.rewind(first, { conflicts: 'overwrite' });
    const states = [[read('a'), read('b')]];
    for (const _ of [1, 2]) {
      await folder.redo();
      states.push([read('a'), read('b')]);
    }
    expect(states).toEqual([
      ['0', '0'],
      ['1', 'mine'],
      ['2', 'mine'],
    ]);
    await expect(folder.redo()).rejects.toMatchObject({ code: 'nothing-to-redo' });
  });

  it('a file that changed after the rewind is a conflict of its undo, and what that replaces is kept', async () => {
    put({ a: 'old' });
    const turn = await writes({ a: 'new' });
    await folder.rewind(turn);
    put({ a: 'mine' });
    await expect(folder.redo()).rejects.toMatchObject({ code: 'conflicts' });
    await folder.redo({ conflicts: 'overwrite' });
    expect(read('a')).toBe('new');
    const undo = folder.store.entries()[0]!;
    const { pre } = folder.store.captures(undo.turn)[0]!;
    if (pre.kind !== 'content') throw new Error('The bytes that the undo replaced are not held.');
    expect(Buffer.from(await folder.store.readBlob(pre.sha256)).toString()).toBe('mine');
  });

  it('new work of the agent ends the undo; what the rewind replaced is still listed, file by file', async () => {
    put({ a: 'old' });
    const turn = await writes({ a: 'new' });
    const { rewind } = await folder.rewind(turn);
    await writes({ b: 'b' });
    await expect(folder.redo()).rejects.toMatchObject({ code: 'nothing-to-redo' });
    await reopen();
    if (rewind === null) throw new Error('The rewind has no number.');
    const [capture] = folder.store.captures(rewind);
    expect(capture).toMatchObject({ path: 'a', pre: { kind: 'content' } });
    if (capture?.pre.kind !== 'content') throw new Error('Nothing is held.');
    expect(Buffer.from(await folder.store.readBlob(capture.pre.sha256)).toString()).toBe('new');
  });
});

describe('what can not go back is said, and the others go back', () => {
  it('R5 a file over the limit: failed with the reason, never deleted', async () => {
    folder.store.close();
    folder = await open(10);
    put({ a: 'old', large: 'more than ten bytes' });
    const turn = await writes({ a: 'new', large: 'replaced' });
    expect((await folder.plan(turn)).items).toMatchObject([
      { path: 'a', verdict: 'apply' },
      {
        path: 'large',
        verdict: 'skipped',
        action: 'none',
        reason: expect.stringMatching(/over the .* limit/),
      },
    ]);
    const { restored, failed } = await folder.rewind(turn);
    expect([restored, failed]).toEqual([
      ['a'],
      [{ path: 'large', reason: expect.stringMatching(/over the .* limit/) }],
    ]);
    expect(read('large')).toBe('replaced');
  });

  it.each(['missing', 'damaged'] as const)('I3 a stored content that is %s', async (how) => {
    put({ a: 'old a', b: 'old b' });
    const turn = await writes({ a: 'new', b: 'new' });
    const { pre } = folder.store.captures(turn)[0]!;
    if (pre.kind !== 'content') throw new Error('Nothing is held.');
    const blob = join(storePaths(root).blobs, pre.sha256);
    rmSync(blob);
    if (how === 'damaged') writeFileSync(blob, 'old A');
    expect((await folder.plan(turn)).items[0]).toMatchObject({ path: 'a', verdict: 'lost', action: 'none' });
    const { restored, failed } = await folder.rewind(turn);
    expect(restored).toEqual(['b']);
    expect(failed).toEqual([
      { path: 'a', reason: expect.stringContaining(how === 'missing' ? 'no longer in' : 'damaged') },
    ]);
    expect(read('a')).toBe('new');
  });

  it('R11 Stop between two files: what is done is recorded, the rest is named; going on and going back both work', async () => {
    put({ a: 'old', b: 'old' });
    const turn = await writes({ a: 'new', b: 'new', c: 'new' });
    const before = await treeOf(root);
    const stop = new AbortController();
    const rename = folder.workspace.fs.rename;
    const stopping = await rewindingWith(async (from, to) => {
      await rename(from, to);
      stop.abort();
    });
    const report = await stopping.rewind(turn, { signal: stop.signal });
    expect(report.notDone).not.toEqual([]);
    expect([...report.restored, ...report.deleted, ...report.notDone].sort()).toEqual(['a', 'b', 'c']);
    expect(stopping.store.entry(turn)?.status).toBe('kept');
    await stopping.redo();
    expect(await treeOf(root)).toEqual(before);
    await stopping.rewind(turn);
    expect(Object.keys(await treeOf(root))).toEqual(['a', 'b']);
  });
});

/** The same folder on a disk that renames in its own way. */
async function rewindingWith(rename: (from: string, to: string) => Promise<void>): Promise<RewindingFolder> {
  const { fs } = folder.workspace;
  folder.store.close();
  return rewindingIn(root, { durability: 'process', fs: { ...fs, rename } });
}
