/**
 * One folder's chat and history behind one door. One thing at a time changes the folder: a turn, or a way back; while a
 * turn runs, going back is refused rather than queued, so that nothing happens later that nobody asked for then.
 */

import { AppError } from '../../shared/errors.ts';
import type {
  EntrySummary,
  PrunePolicy,
  PruneReport,
  StoreStats,
  VerifyReport,
} from '../../shared/history.ts';
import type { MessageId, TurnNumber } from '../../shared/ids.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import type { SessionSnapshot, TurnDiff } from '../../shared/session.ts';
import type { ApprovalChoice, ChatMessage, Progress, SessionEvent } from '../../shared/transcript.ts';
import { Mutex } from '../base/mutex.ts';
import { countLines } from '../rewind/index.ts';
import { otherBranches } from './chat-position.ts';
import { EntrySummaries } from './entry-summaries.ts';
import { Events } from './events.ts';
import { type FolderParts, forgetFolderHistory, openFolderParts } from './folder-parts.ts';
import { GoingBack } from './going-back.ts';
import { ProgressBoard } from './progress-board.ts';
import { Turns } from './turns.ts';
import type { OpenSessionOptions, RewindRequest, SendOptions, Session, TurnResult } from './types.ts';

const SNAPSHOT_ENTRIES = 100;

export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const events = new Events();
  const progress = new ProgressBoard((event) => events.emit(event));
  const parts = await openFolderParts(options, progress);
  const session = new FolderSession(options, parts, events, progress);
  if (options.backgroundBaseline) session.readFolderInBackground();
  return session;
}

class FolderSession implements Session {
  readonly #options: OpenSessionOptions;
  readonly #events: Events;
  readonly #progress: ProgressBoard;
  readonly #turns: Turns;
  readonly #summaries: EntrySummaries;
  readonly #operations = new Mutex();
  readonly #closing = new AbortController();
  #parts: FolderParts;
  #going: AbortController | null = null;

  constructor(options: OpenSessionOptions, parts: FolderParts, events: Events, progress: ProgressBoard) {
    this.#options = options;
    this.#parts = parts;
    this.#events = events;
    this.#progress = progress;
    this.#turns = new Turns(options, events);
    this.#summaries = new EntrySummaries(
      () => this.#parts.store,
      (path, before, after) => countLines(this.#parts, path, before, after),
      () => events.emit({ type: 'history-changed' }),
    );
  }

  get root(): string {
    return this.#parts.workspace.root;
  }

  get storeId(): string {
    return this.#parts.store.storeId;
  }

  snapshot(): SessionSnapshot {
    const { store } = this.#parts;
    return {
      messages: store.branch(),
      entries: this.history({ limit: SNAPSHOT_ENTRIES }),
      ...this.#turns.snapshot(),
      progress: this.#progress.list(),
      redoable: store.redoable() !== null,
      readOnly: store.access === 'read',
      recovered: this.#parts.recovered,
      hasOtherBranches: otherBranches(store).length > 0,
    };
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  async send(
    text: string,
    options: SendOptions,
    started: (turn: TurnNumber) => void = () => undefined,
  ): Promise<TurnResult> {
    this.#checkChangeable();
    return this.#turns.send(text, options, started, (turn) => this.#operations.run(() => turn(this.#parts)));
  }

  async stop(): Promise<void> {
    this.#going?.abort();
    await this.#turns.stop();
  }

  answerApproval(approvalId: string, choice: ApprovalChoice): void {
    this.#turns.answerApproval(approvalId, choice);
  }

  history(options?: { limit?: number; before?: TurnNumber }): EntrySummary[] {
    const list = this.#summaries.list(options);
    // Without a listener nobody would hear of the numbers.
    if (this.#events.hasListeners) {
      this.#inBackground(() => this.#summaries.countMissing(this.#closing.signal));
    }
    return list;
  }

  turnDiff(turn: TurnNumber | 'last', path?: string): Promise<TurnDiff[]> {
    return this.#goingBack().turnDiff(turn, path);
  }

  branches(): ChatMessage[] {
    return otherBranches(this.#parts.store);
  }

  branch(head: MessageId): ChatMessage[] {
    return this.#parts.store.branch(head);
  }

  plan(turn: TurnNumber | 'last', paths?: readonly string[]): Promise<Plan> {
    return this.#goingBack().plan(turn, paths);
  }

  planRedo(): Promise<Plan> {
    return this.#goingBack().planRedo();
  }

  previewItem(turn: TurnNumber, path: string): Promise<TurnDiff> {
    return this.#goingBack().previewItem(turn, path);
  }

  async rewind(request: RewindRequest): Promise<RewindReport> {
    if (request.dryRun === true) return this.#goingBack().dryRun(request);
    return this.#goBack((goingBack) => goingBack.rewind(request));
  }

  redo(request: Parameters<Session['redo']>[0] = {}): Promise<RewindReport> {
    return this.#goBack((goingBack) => goingBack.redo(request));
  }

  verify(): Promise<VerifyReport> {
    return this.#progress.run('Checking the history', { stoppable: true }, (report, signal) =>
      this.#parts.store.verify(({ done, total }) => report(done, total), signal),
    );
  }

  async prune(policy: PrunePolicy): Promise<PruneReport> {
    if (policy.dryRun !== true) this.#checkChangeable();
    return this.#operations.run(async () => {
      const pruned = await this.#progress.run('Removing old history', { stoppable: true }, (report, signal) =>
        // A scan counts on the contents that it finds.
        this.#parts.baseline.exclusively(() =>
          this.#parts.store.prune(policy, ({ done, total }) => report(done, total), signal),
        ),
      );
      this.#events.emit({ type: 'history-changed' });
      return pruned;
    });
  }

  stats(): StoreStats {
    return this.#parts.store.stats();
  }

  async forgetHistory(): Promise<void> {
    this.#checkChangeable();
    await this.#operations.run(async () => {
      this.#parts = await forgetFolderHistory(this.#parts, this.#options, this.#progress);
      this.#turns.begin();
      this.#events.emit({ type: 'history-changed' });
      this.#events.emit({ type: 'chat-moved', draft: null });
    });
  }

  progress(): readonly Progress[] {
    return this.#progress.list();
  }

  stopProgress(id: string): void {
    this.#progress.stop(id);
  }

  readFolderInBackground(): void {
    if (this.#parts.store.access === 'read') return;
    this.#inBackground(() => this.#parts.baseline.readInBackground());
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.stop();
    await this.#turns.closeAgents();
    await this.#parts.baseline.close();
    // Whatever still runs (a rewind, a prune) ends first: the store is closed under nobody.
    await this.#operations.run(() => Promise.resolve());
    this.#parts.store.close();
  }

  async #goBack(work: (goingBack: GoingBack) => Promise<RewindReport>): Promise<RewindReport> {
    this.#checkChangeable();
    return this.#operations.run(async () => {
      this.#going = new AbortController();
      try {
        return await work(this.#goingBack(this.#going.signal));
      } finally {
        this.#going = null;
      }
    });
  }

  #goingBack(signal = this.#closing.signal): GoingBack {
    return new GoingBack({
      parts: this.#parts,
      progress: this.#progress,
      emit: (event) => this.#events.emit(event),
      chatLeft: () => this.#turns.leaveChat(),
      signal,
    });
  }

  #checkChangeable(): void {
    if (this.#closing.signal.aborted) throw new AppError('cancelled', 'This folder is being closed.');
    if (this.#parts.store.access === 'read') {
      throw new AppError(
        'folder-read-only',
        'This folder is open for looking only; nothing in it can be changed.',
      );
    }
    if (this.#turns.isRunning) {
      throw new AppError('turn-running', 'A turn is running; stop it first, or wait until it has ended.');
    }
  }

  /** Work whose failure takes nothing from the person: a count that is missing, a reading that the next turn does itself. */
  #inBackground(work: () => Promise<unknown>): void {
    work().catch(() => undefined);
  }
}
