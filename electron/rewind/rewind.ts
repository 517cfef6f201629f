/** The ways back: to right before a turn, and back again from there. */

import { AppError } from '../../shared/errors.ts';
import type { MessageId, PlanId, TurnNumber } from '../../shared/ids.ts';
import type { Plan, RestoreScope, RewindReport } from '../../shared/rewind.ts';
import type { CheckpointStore } from '../store/types.ts';
import { apply } from './apply.ts';
import { decide } from './choices.ts';
import { planRedo, planRewind, turnToUndo } from './gather.ts';
import { settleInterrupted } from './recover.ts';
import { finish } from './settle.ts';
import type { ChangeableFolder, Decisions, FilesScope, PlanRef, Watch } from './types.ts';
import * as words from './words.ts';

export interface RewindRequest extends ChangeableFolder, Watch {
  readonly plan: PlanRef;
  readonly decisions: Decisions;
  readonly scope: FilesScope;
}

export interface RedoRequest extends ChangeableFolder, Watch {
  readonly planId?: PlanId;
  readonly decisions: Decisions;
}

/**
 * Puts the files, and with that scope the chat, to right before a turn. Throws AppError before anything is touched: what
 * planRewind throws, `plan-stale`, `conflicts`, `disk-full`, `turn-running`. What happens after the first change is in the
 * report; only when not even that can be recorded, `rewind-failed`.
 */
export async function applyRewind(request: RewindRequest): Promise<RewindReport> {
  const { store, workspace, plan: wanted, scope, signal } = request;
  await makeReady(request);
  const plan = await planRewind({
    store,
    workspace,
    turn: wanted.turn,
    ...(wanted.paths === undefined ? {} : { paths: wanted.paths }),
    ...(signal === undefined ? {} : { signal }),
  });
  checkStillTrue(plan, wanted.planId);
  return apply(request, plan, decide(plan, request.decisions), () =>
    beginRewind(store, plan.turn, scope, plan.paths),
  );
}

/** Moves the chat to right before the turn's prompt, and no file. Throws AppError `turn-not-found`, `turn-running`. */
export function rewindChat(store: CheckpointStore, turn: TurnNumber): RewindReport {
  checkNoTurnRuns(store);
  turnToUndo(store, turn);
  const entry = beginRewind(store, turn, 'chat-only');
  const row = rowOf(store, entry.turn);
  const nothing = { whole: false, same: [], toDo: [], kept: [], conflicts: [], failed: [] };
  return finish(store, row, nothing, { restored: [], deleted: [], kept: [], failed: [], outcome: 'done' });
}

/** Undoes the newest rewind, its chat included. Throws what planRedo and applyRewind throw. */
export async function redo(request: RedoRequest): Promise<RewindReport> {
  const { store } = request;
  await makeReady(request);
  const plan = await planRedo(request);
  checkStillTrue(plan, request.planId);
  const rewind = rowOf(store, plan.turn);
  return apply(request, plan, decide(plan, request.decisions), () =>
    store.beginRewind({
      label: words.redoLabel(rewind.turn),
      target: rewind.turn,
      redoOf: rewind.turn,
      scope: rewind.scope ?? 'files-only',
      ...chatMove(store, rewind.scope, rewind.chatHeadBefore),
    }),
  );
}

async function makeReady(request: ChangeableFolder): Promise<void> {
  checkNoTurnRuns(request.store);
  // Left by an operation whose end could not be recorded, on a full disk for one.
  await settleInterrupted(request);
}

function checkNoTurnRuns(store: CheckpointStore): void {
  const [newest] = store.entries({ limit: 1 });
  if (newest?.kind === 'agent' && newest.outcome === 'running') {
    throw new AppError('turn-running', 'A turn is running; stop it first, then go back.');
  }
}

function checkStillTrue(plan: Plan, planId: PlanId | undefined): void {
  if (planId === undefined || planId === plan.planId) return;
  throw new AppError(
    'plan-stale',
    'Files changed since you looked; nothing was changed. Look at the plan again.',
  );
}

function beginRewind(
  store: CheckpointStore,
  turn: TurnNumber,
  scope: RestoreScope,
  paths?: readonly string[],
) {
  const { label, chatHeadBefore } = rowOf(store, turn);
  return store.beginRewind({
    label: words.rewindLabel(turn, label, paths),
    target: turn,
    redoOf: null,
    scope,
    ...chatMove(store, scope, chatHeadBefore),
  });
}

function chatMove(
  store: CheckpointStore,
  scope: RestoreScope | null,
  to: MessageId | null,
): { chatHeadBefore: MessageId | null; chatHeadAfter: MessageId | null } {
  const head = store.chatHead();
  const moves = scope === 'files-and-chat' || scope === 'chat-only';
  return { chatHeadBefore: head, chatHeadAfter: moves ? to : head };
}

function rowOf(store: CheckpointStore, turn: TurnNumber) {
  const row = store.entry(turn);
  if (row === null)
    throw new AppError('turn-not-found', `There is no entry ${turn} in this folder's history.`);
  return row;
}
