/** After a crash: the turn that was running ends in the conversation too, as interrupted, with nothing left open. */

import type { CheckpointStore } from '../store/types.ts';
import { netChanges } from './net-changes.ts';
import { isOpen } from './tool-calls.ts';

/** Only the newest turn of the branch can have been cut off; a conversation that ends well is left alone. */
export function settleConversation(store: CheckpointStore): void {
  const messages = store.branch();
  const turn = messages.at(-1)?.turn ?? null;
  const entry = turn === null ? null : store.entry(turn);
  if (entry === null || entry.kind !== 'agent') return;
  const own = messages.filter((message) => message.turn === entry.turn);
  if (own.some(({ item }) => item.type === 'turn-end')) return;
  for (const { id, item } of own) {
    if (item.type === 'tool' && isOpen(item.status))
      store.updateMessage(id, { ...item, status: 'cancelled' });
  }
  store.appendMessage(entry.turn, {
    type: 'turn-end',
    outcome: entry.outcome,
    files: netChanges(store.captures(entry.turn)),
    notCovered: entry.notCovered,
  });
}
