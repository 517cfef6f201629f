/** What of the conversation is not on the branch that the person sees. */

import type { TurnNumber } from '../../shared/ids.ts';
import type { ChatMessage } from '../../shared/transcript.ts';
import type { CheckpointStore } from '../store/types.ts';

/** The prompt of a turn, whichever branch it is on; null for a turn without a chat (an imported one). */
export function promptOf(store: CheckpointStore, turn: TurnNumber): string | null {
  for (const end of store.branchEnds()) {
    for (const message of store.branch(end.id)) {
      if (message.turn === turn && message.item.type === 'user') return message.item.text;
    }
  }
  return null;
}

/** The ends of the branches that the conversation is not on, newest first. */
export function otherBranches(store: CheckpointStore): ChatMessage[] {
  const head = store.chatHead();
  return store.branchEnds().filter(({ id }) => id !== head);
}
