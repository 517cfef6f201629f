/** Asks a store everything there is to ask and, when it may be written to, records one turn: nothing but an AppError may come of it. */

import { expect } from 'vitest';
import type { CheckpointStore } from '../../electron/store/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import { beginTurn, change, held, unheld } from './store.ts';

export async function exerciseStore(store: CheckpointStore): Promise<void> {
  for (const entry of store.entries()) {
    expect(['agent', 'rewind']).toContain(entry.kind);
    expect(['running', 'done', 'failed', 'stopped', 'interrupted']).toContain(entry.outcome);
    expect(Number.isNaN(new Date(entry.atMs).getTime())).toBe(false);
    for (const { pre, marks } of store.captures(entry.turn)) {
      if (pre.kind === 'content') await store.checkBlob(pre.sha256);
      expect(Array.isArray(marks)).toBe(true);
    }
  }
  store.capturesInForce(beginningOf(store));
  store.pendingCaptures();
  store.redoable();
  store.lastKeptTurn();
  store.stats();
  expect([...store.baseline()].length).toBeLessThan(10);
  store.branch();
  store.branchEnds();
  if (store.access === 'write') await recordTurn(store);
  await store.verify();
  if (store.access === 'write') await store.prune({ maxBytes: 0, keepTurns: 1 });
}

const beginningOf = (store: CheckpointStore) => store.entries().at(-1)?.turn ?? (1 as never);

async function recordTurn(store: CheckpointStore): Promise<void> {
  const entry = beginTurn(store, 'after all');
  await change(entry, 'new.txt', await held(entry, 'content'), unheld('x'));
  entry.observed([{ path: parseRelPath('seen.txt'), pre: ABSENT, post: unheld('y') }]);
  store.appendMessage(entry.turn, { type: 'user', text: 'hello' });
  store.finishTurn(entry.turn, 'done');
  expect(store.captures(entry.turn)).toHaveLength(2);
}
