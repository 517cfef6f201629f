/** Handlers of going back and forth. */

import { definedOnly } from '../defined-only.ts';
import type { HandlersOf } from '../handlers.ts';

export const rewindHandlers: HandlersOf<'rewind'> = {
  'rewind:plan': ({ turn, paths }, { session }) => session.plan(turn, paths),
  'rewind:plan-redo': (_input, { session }) => session.planRedo(),
  'rewind:preview': ({ turn, path }, { session }) => session.previewItem(turn, path),
  'rewind:apply': ({ workspaceId: _, ...request }, { session }) => session.rewind(definedOnly(request)),
  'rewind:redo': ({ workspaceId: _, ...request }, { session }) => session.redo(definedOnly(request)),
};
