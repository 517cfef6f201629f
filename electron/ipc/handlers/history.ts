/** Handlers of looking at what turns did. */

import { definedOnly } from '../defined-only.ts';
import type { HandlersOf } from '../handlers.ts';

export const historyHandlers: HandlersOf<'history'> = {
  'history:list': ({ before, limit }, { session }) => session.history(definedOnly({ before, limit })),
  'history:diff': ({ turn, path }, { session }) => session.turnDiff(turn, path),
};
