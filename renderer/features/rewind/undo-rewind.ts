/** Undoes the newest rewind: at once where nothing stands in the way, else by asking in the dialog. */

import { call } from '../../api/client.ts';
import { focusComposer } from '../../lib/focus-composer.ts';
import { announce } from '../../state/announcer.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';

/** Throws ClientError `nothing-to-redo`, and whatever else the main process refuses with. */
export async function undoRewind(): Promise<void> {
  const workspaceId = currentWorkspaceId();
  const plan = await call('rewind:plan-redo', { workspaceId });
  if (plan.items.some(({ verdict }) => verdict === 'conflict')) {
    useWindow.getState().openRewind({ kind: 'redo', turn: plan.turn });
    return;
  }
  await call('rewind:redo', { workspaceId, planId: plan.planId, conflicts: 'abort' });
  useWindow.getState().showChanges(null);
  announce('The rewind is undone.');
  focusComposer();
}
