/** Which captures are in force after rewinds and redos, and the conversation beside them (electron/store/SPEC.md). */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CheckpointStore, OpenEntry } from '../../electron/store/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { beginTurn, change, finishedTurn, openStoreOn, unheld } from '../helpers/store.ts';

let store: CheckpointStore;

beforeEach(async () => {
  store = await openStoreOn(await temporaryFolder());
  onTestFinished(() => store.close());
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

function finish(rewind: OpenEntry, turn: TurnNumber, captures = store.capturesInForce(turn)): void {
  store.finishRewind(rewind.turn, {
    outcome: 'done',
    captures,
    turns: [turn],
    report: {
      rewind: rewind.turn,
      turn,
      kind: 'rewind',
      scope: 'files-only',
      restored: [],
      deleted: [],
      kept: [],
      conflicts: [],
      failed: [],
      notDone: [],
    },
  });
}

describe('rewinds', () => {
  it('R7 captures that a rewind undid are out of force until a redo brings them back', async () => {
    const entry = beginTurn(store);
    await change(entry, 'a.txt', ABSENT, unheld('x'));
    await change(entry, 'dir/b.txt', ABSENT, unheld('x'));
    store.finishTurn(entry.turn, 'done');
    const captures = store.capturesInForce(entry.turn);
    expect(captures.map(({ path }) => path)).toEqual(['a.txt', 'dir/b.txt']);
    const inDirectory = store.capturesInForce(entry.turn, [parseRelPath('dir')]);
    expect(inDirectory.map(({ path }) => path)).toEqual(['dir/b.txt']);

    const rewind = rewindTo(entry.turn);
    finish(rewind, entry.turn);
    expect(store.capturesInForce(entry.turn)).toEqual([]);
    expect(store.entry(entry.turn)?.status).toBe('rewound');
    expect(store.lastKeptTurn()).toBeNull();
    expect(store.redoable()?.turn).toBe(rewind.turn);

    finish(rewindTo(entry.turn, rewind.turn), entry.turn, captures);
    expect(store.capturesInForce(entry.turn)).toHaveLength(2);
    expect(store.entry(entry.turn)?.status).toBe('kept');
    expect(store.redoable()).toBeNull();
  });

  it('R5 what a rewind replaces has no limit', () => {
    expect(beginTurn(store).maxFileBytes).toBe(8 * 1024 * 1024);
    expect(rewindTo(beginTurn(store).turn).maxFileBytes).toBeNull();
  });

  it('a new turn ends the redo', async () => {
    const { turn } = await finishedTurn(store, {});
    const rewind = rewindTo(turn);
    finish(rewind, turn);
    expect(store.redoable()?.turn).toBe(rewind.turn);
    beginTurn(store);
    expect(store.redoable()).toBeNull();
  });

  it('I4 a rewind removes no row and no blob', async () => {
    const { turn } = await finishedTurn(store, { 'a.txt': 'before' });
    const before = store.stats();
    finish(rewindTo(turn), turn);
    expect(store.stats()).toMatchObject({ captures: before.captures, blobs: before.blobs });
    expect(await store.verify()).toMatchObject({ ok: true, blobs: 1 });
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
