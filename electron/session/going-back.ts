/** Every way back: what it would do, doing it, and what the conversation makes of it. */

import { AppError } from '../../shared/errors.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import type { TurnDiff } from '../../shared/session.ts';
import type { SessionEvent } from '../../shared/transcript.ts';
import * as files from '../rewind/index.ts';
import { promptOf } from './chat-position.ts';
import type { FolderParts } from './folder-parts.ts';
import type { ProgressBoard } from './progress-board.ts';
import { Transcript } from './transcript.ts';
import type { RewindRequest, Session } from './types.ts';

export interface Surroundings {
  readonly parts: FolderParts;
  readonly progress: ProgressBoard;
  readonly emit: (event: SessionEvent) => void;
  /** The conversation goes elsewhere; what belonged to the part that was left goes with it. */
  readonly chatLeft: () => void;
  /** Aborted by Stop: ends a rewind between two files. */
  readonly signal: AbortSignal;
}

export class GoingBack {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async plan(turn: TurnNumber | 'last', paths?: readonly string[]): Promise<Plan> {
    const { store, workspace } = this.#around.parts;
    const to = { store, workspace, turn: this.#turnOf(turn) };
    return files.planRewind(paths === undefined ? to : { ...to, paths });
  }

  planRedo(): Promise<Plan> {
    return files.planRedo(this.#around.parts);
  }

  async turnDiff(turn: TurnNumber | 'last', path?: string): Promise<TurnDiff[]> {
    return files.turnDiff(this.#around.parts, this.#turnOf(turn), path);
  }

  async previewItem(turn: TurnNumber, path: string): Promise<TurnDiff> {
    const { parts } = this.#around;
    const isRedo = parts.store.entry(turn)?.kind === 'rewind';
    const plan = isRedo ? await this.planRedo() : await this.plan(turn, [path]);
    const item = plan.items.find((candidate) => candidate.path === path);
    if (item === undefined) {
      throw new AppError('path-not-found', `Going back there does nothing to ${path}.`, { path });
    }
    return files.diffStates(parts, path, item.present, item.wanted);
  }

  /** What `rewind` would report if nothing fails on the way. */
  async dryRun(request: RewindRequest): Promise<RewindReport> {
    const isChatOnly = request.scope === 'chat-only';
    const plan = await this.plan(request.turn, request.paths);
    if (request.planId !== undefined && request.planId !== plan.planId) {
      throw new AppError(
        'plan-stale',
        'The files changed since the plan was made; look at the new plan first.',
      );
    }
    const { toDo, kept, failed } = files.decide(plan, request);
    const pathsOf = (items: readonly { path: string }[]): string[] =>
      isChatOnly ? [] : items.map(({ path }) => path);
    return {
      rewind: null,
      turn: plan.turn,
      kind: 'rewind',
      scope: request.scope,
      restored: pathsOf(toDo.filter(({ action }) => action === 'write')),
      deleted: pathsOf(toDo.filter(({ action }) => action === 'delete')),
      kept: pathsOf(kept),
      conflicts: pathsOf(plan.items.filter(({ verdict }) => verdict === 'conflict')),
      failed: isChatOnly ? [] : failed,
      notDone: [],
    };
  }

  async rewind(request: RewindRequest): Promise<RewindReport> {
    const { parts } = this.#around;
    const { scope, planId, paths } = request;
    const turn = this.#turnOf(request.turn);
    const draft = scope === 'files-only' ? null : promptOf(parts.store, turn);
    const report =
      scope === 'chat-only'
        ? files.rewindChat(parts.store, turn)
        : await this.#going('Going back', (watch) =>
            files.applyRewind({
              ...parts,
              ...watch,
              plan: {
                turn,
                ...(paths === undefined ? {} : { paths }),
                ...(planId === undefined ? {} : { planId }),
              },
              decisions: request,
              scope,
            }),
          );
    return this.#tell(report, draft);
  }

  async redo({
    conflicts = 'abort',
    planId,
    choices,
  }: NonNullable<Parameters<Session['redo']>[0]>): Promise<RewindReport> {
    const report = await this.#going('Undoing the rewind', (watch) =>
      files.redo({
        ...this.#around.parts,
        ...watch,
        ...(planId === undefined ? {} : { planId }),
        decisions: { conflicts, ...(choices === undefined ? {} : { choices }) },
      }),
    );
    return this.#tell(report, null);
  }

  #going(name: string, work: (watch: files.Watch) => Promise<RewindReport>): Promise<RewindReport> {
    const { progress, signal: outer } = this.#around;
    return progress.run(name, { stoppable: true, outer }, (onProgress, signal) =>
      work({ onProgress, signal }),
    );
  }

  /** The report becomes part of the conversation where that stands now. */
  #tell(report: RewindReport, draft: string | null): RewindReport {
    const { parts, emit, chatLeft } = this.#around;
    if (report.scope !== 'files-only') {
      chatLeft();
      emit({ type: 'chat-moved', draft });
    }
    new Transcript(parts.store, emit).append(report.rewind, { type: 'rewind', report });
    emit({ type: 'history-changed' });
    return report;
  }

  #turnOf(turn: TurnNumber | 'last'): TurnNumber {
    if (turn !== 'last') return turn;
    const last = this.#around.parts.store.lastKeptTurn();
    if (last === null) throw new AppError('nothing-to-rewind', 'There is no turn to go back to.');
    return last;
  }
}
