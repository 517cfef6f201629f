/** Files that changed since the agent was there: a person decides about each, and what is replaced is kept. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TurnNumber } from '../../shared/ids.ts';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { putFiles, type RewindingFolder, rewindingIn, text } from '../helpers/rewinding.ts';

let root: string;
let folder: RewindingFolder;

const put = (files: Record<string, string>): void => putFiles(root, files);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const open = (): Promise<RewindingFolder> => rewindingIn(root, { durability: 'process' });
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

describe('conflicts: files that changed since the agent was there', () => {
  let turn: TurnNumber;
  beforeEach(async () => {
    put({ a: 'old a', b: 'old b' });
    turn = await writes({ a: 'new a', b: 'new b', made: 'made' });
    put({ a: 'my a', made: 'my made' });
  });

  it('are in the plan, with the reason, before anything happens', async () => {
    const { items } = await folder.plan(turn);
    expect(items.map(({ path, verdict, action, reason }) => [path, verdict, action, reason])).toEqual([
      ['a', 'conflict', 'write', 'you or another program changed this after turn 1'],
      ['b', 'apply', 'write', undefined],
      ['made', 'conflict', 'delete', 'you or another program changed this after turn 1'],
    ]);
  });

  it('abort: nothing is changed, and nothing recorded', async () => {
    const before = await treeOf(root);
    await expect(folder.rewind(turn)).rejects.toMatchObject({
      code: 'conflicts',
      message: expect.stringContaining('a, made'),
    });
    expect(await treeOf(root)).toEqual(before);
    expect(folder.store.entries()).toHaveLength(1);
  });

  it('overwrite: what is replaced is kept, and the undo brings it back, also after a restart', async () => {
    const mine = await treeOf(root);
    const report = await folder.rewind(turn, { conflicts: 'overwrite' });
    expect(report).toMatchObject({
      restored: ['a', 'b'],
      deleted: ['made'],
      conflicts: ['a', 'made'],
      kept: [],
    });
    expect([read('a'), read('b')]).toEqual(['old a', 'old b']);
    await reopen();
    await folder.redo();
    expect(await treeOf(root)).toEqual(mine);
  });

  it('keep: they stay, the others go back, and they can still be asked for by their paths', async () => {
    const report = await folder.rewind(turn, { conflicts: 'keep' });
    expect(report).toMatchObject({ restored: ['b'], deleted: [], kept: ['a', 'made'], turns: [turn] });
    expect([read('a'), read('b'), read('made')]).toEqual(['my a', 'old b', 'my made']);
    await expect(folder.rewind(turn)).rejects.toMatchObject({
      code: 'already-rewound',
      message: expect.stringContaining('a, made'),
    });
    expect(await folder.rewind(turn, { paths: ['a'], conflicts: 'overwrite' })).toMatchObject({
      restored: ['a'],
    });
    expect([read('a'), read('made')]).toEqual(['old a', 'my made']);
    await folder.redo();
    await folder.redo();
    expect([read('a'), read('b'), read('made')]).toEqual(['my a', 'new b', 'my made']);
  });

  it('one by one: each as the person chose, the rest by the default', async () => {
    const report = await folder.rewind(turn, { conflicts: 'keep', choices: { a: 'go-back' } });
    expect(report).toMatchObject({ restored: ['a', 'b'], kept: ['made'] });
  });

  it('a file of the person in a directory that became a file is in its way: said, and left', async () => {
    put({ c: 'old c' });
    const later = await folder.turn((funnel, entry) => funnel.deletePath(entry, 'c'));
    put({ 'c/mine': 'mine' });
    const report = await folder.rewind(later, { conflicts: 'overwrite' });
    expect(report.failed).toEqual([{ path: 'c', reason: expect.stringMatching(/^a folder stands there/) }]);
    expect(read('c/mine')).toBe('mine');
  });
});

describe("a person's edit between two turns on the same file", () => {
  it('is no conflict, and the plan names it; R6 the oldest pre-image is what comes back', async () => {
    put({ a: 'old', b: 'old' });
    const first = await writes({ a: 'one', b: 'one' });
    put({ a: 'mine, in between' });
    const second = await writes({ a: 'two', b: 'two' });
    const { items } = await folder.plan(first);
    expect(items).toMatchObject([
      { path: 'a', verdict: 'apply', marks: [expect.stringMatching(/between turn 1 and turn 2/)] },
      { path: 'b', verdict: 'apply', marks: [] },
    ]);
    expect((await folder.plan(second)).items[0]?.marks).toEqual([]);
    await folder.rewind(second);
    expect([read('a'), read('b')]).toEqual(['mine, in between', 'one']);
    await folder.redo();
    await folder.rewind(first);
    expect([read('a'), read('b')]).toEqual(['old', 'old']);
  });
});
