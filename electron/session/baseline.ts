/**
 * The baseline: what every covered path holds, kept in the store before a step runs that nobody can see into. A scan brings
 * it up to date and tells what changed.
 */

import { constants } from 'node:fs';
import { AppError } from '../../shared/errors.ts';
import { ABSENT, type FileState, sameState } from '../../shared/file-state.ts';
import type { RelPath, Sha256 } from '../../shared/ids.ts';
import type { Settings } from '../../shared/settings.ts';
import { Mutex } from '../base/mutex.ts';
import { type BaselineRow, type BlobBatch, type CheckpointStore, storePaths } from '../store/index.ts';
import {
  type Found,
  type KnownRow,
  type LeftOut,
  leftOutOf,
  NEVER,
  type ScanChange,
  Scanner,
  type ScanResult,
} from '../workspace/index.ts';
import type { ProgressBoard } from './progress-board.ts';

/** Contents are synced together: each sync waits for the disk. */
const PATHS_AT_ONCE = 4000;
/** One commit holds up everything else for this many rows at most: about 3 ms. */
const ROWS_AT_ONCE = 75;
/** Shorter work is not worth a bar. */
const SHOWN_AFTER_MS = 500;

export interface BaselineParts {
  readonly store: CheckpointStore;
  readonly root: string;
  readonly settings: Settings;
  readonly progress: ProgressBoard;
}

export interface ScanOptions {
  /** Gets the changes before the baseline takes them over: after a crash in between they are found again. */
  readonly found?: (result: ScanResult) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** What was found and is not in the store yet. */
interface Waiting {
  readonly found: Found[];
  readonly contents: BlobBatch;
}

export class Baseline {
  /** What is not covered by choice. */
  readonly leftOut: LeftOut;
  readonly #parts: BaselineParts;
  readonly #scanner: Scanner;
  readonly #oneByOne = new Mutex();
  readonly #closing = new AbortController();
  #reading = false;

  constructor(parts: BaselineParts) {
    this.#parts = parts;
    this.leftOut = leftOutOf(parts.settings, parts.root);
    const { root, settings, store } = parts;
    const { blobs, temporary } = storePaths(root);
    this.#scanner = new Scanner(
      {
        root,
        maxFileBytes: settings.maxFileBytes,
        leftOut: this.leftOut,
        budget: { files: settings.baselineMaxFiles, bytes: settings.baselineMaxBytes },
        contents: { folder: blobs, temporaryFolder: temporary },
      },
      () => knownRows(store.baseline()),
    );
  }

  /** The folder is being read in the background. */
  get isReading(): boolean {
    return this.#reading;
  }

  /**
   * Throws AppError `cancelled` (what was read until then stays, unless `found` waits for it), `disk-full`, `io-failed`.
   */
  scan(options: ScanOptions = {}): Promise<ScanResult> {
    // Someone waits now: the reading in the background need not leave time to others any more.
    this.#scanner.hurry();
    return this.#queue(options, false);
  }

  /** The first reading when a folder opens; who needs the baseline before it is through waits for it. */
  async readInBackground(): Promise<void> {
    this.#reading = true;
    try {
      await this.#queue({}, true);
    } finally {
      this.#reading = false;
    }
  }

  /** Work that must not run beside a scan. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#oneByOne.run(work);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#oneByOne.run(async () => this.#scanner.forget());
  }

  #queue(options: ScanOptions, gently: boolean): Promise<ScanResult> {
    return this.#oneByOne.run(() =>
      this.#shown(options.signal, (report, signal) => this.#scan(options, gently, report, signal)),
    );
  }

  async #scan(
    { found }: ScanOptions,
    gently: boolean,
    report: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<ScanResult> {
    if (this.#closing.signal.aborted) throw new AppError('cancelled', 'The folder was closed.');
    const { store } = this.#parts;
    const changes: ScanChange[] = [];
    const replaced: Sha256[] = [];
    let waiting: Waiting = { found: [], contents: store.blobBatch() };
    let synced = Promise.resolve();
    let kept = Promise.resolve();
    const keepWaiting = (): void => {
      const { found: some, contents } = waiting;
      waiting = { found: [], contents: store.blobBatch() };
      // First the contents are whole on disk, then the rows name them (I1); the next contents need not wait for these rows.
      synced = synced.then(() => contents.sync());
      kept = Promise.all([synced, kept]).then(async () => {
        replaced.push(...(await this.#keep(some)));
      });
      // A failure is heard at the end.
      kept.catch(() => undefined);
    };
    try {
      const { notCovered, paths } = await this.#scanner.scan({
        signal,
        gently,
        tellLarge: found !== undefined,
        progress: report,
        found: (some) => {
          for (const one of some) {
            const change = this.#changeOf(one);
            if (change === null) continue;
            if (found !== undefined) changes.push(change);
            if (one.state.kind === 'content') waiting.contents.adopt(one.state.sha256, one.state.bytes);
          }
          waiting.found.push(...some);
          if (found === undefined && waiting.found.length >= PATHS_AT_ONCE) keepWaiting();
        },
      });
      const result: ScanResult = { changes, notCovered, paths };
      await found?.(result);
      keepWaiting();
      await kept;
      // A turn has its captures by now; what only the baseline held of the time before would fill the disk.
      await store.dropUnnamed(replaced);
      return result;
    } catch (error) {
      this.#scanner.forget();
      if (found === undefined) keepWaiting();
      await kept;
      throw error;
    }
  }

  #changeOf({ path, seen, state, isNew }: Found): ScanChange | null {
    const relPath = path as RelPath;
    const before = isNew ? ABSENT : (this.#parts.store.baselineRow(relPath)?.state ?? ABSENT);
    if (sameState(before, state) || isSameObstacle(before, seen)) return null;
    return { path: relPath, before, after: seen };
  }

  /** Returns the contents that were replaced. */
  async #keep(found: readonly Found[]): Promise<Sha256[]> {
    const { store } = this.#parts;
    const replaced: Sha256[] = [];
    for (let from = 0; from < found.length; from += ROWS_AT_ONCE) {
      const some = found.slice(from, from + ROWS_AT_ONCE);
      const gone = store.updateBaseline({
        add: some.filter(({ isNew }) => isNew).flatMap(rowOf),
        upsert: some.filter(({ isNew }) => !isNew).flatMap(rowOf),
        remove: some.flatMap(({ path, stamp }) => (stamp === null ? [path as RelPath] : [])),
      });
      replaced.push(...gone);
      await new Promise((resolve) => setImmediate(resolve));
      await store.baselineSettled();
    }
    return replaced;
  }

  /** Shows a bar once the work has taken a while. */
  async #shown<T>(
    outer: AbortSignal | undefined,
    work: (report: (done: number, total: number) => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signals = [this.#closing.signal, ...(outer === undefined ? [] : [outer])];
    const stop = new AbortController();
    const running = work((done, total) => bar?.(done, total), AbortSignal.any([...signals, stop.signal]));
    let bar: ((done: number, total: number) => void) | null = null;
    const timer = setTimeout(() => {
      const shown = this.#parts.progress.run(
        'Reading the folder',
        { stoppable: true },
        async (report, signal) => {
          bar = report;
          signal.addEventListener('abort', () => stop.abort());
          await running;
        },
      );
      // Whoever asked for the work hears how it ended.
      shown.catch(() => undefined);
    }, SHOWN_AFTER_MS);
    try {
      return await running;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What can't be held is looked at again when the folder is opened; that it still can't be held is no change. */
const isSameObstacle = (before: FileState, seen: FileState): boolean =>
  before.kind === 'skipped' && seen.kind === 'skipped' && before.reason === seen.reason;

function* knownRows(rows: Iterable<BaselineRow>): Generator<KnownRow> {
  for (const { path, state, sizeBytes, mtimeNs, ctimeNs, inode } of rows) {
    const stamp = { size: BigInt(sizeBytes), mtimeNs, ctimeNs, ino: inode, mode: modeWithType(state) };
    yield { path, state, stamp };
  }
}

/** As lstat gives it; where it is not so the path is looked at once more. */
function modeWithType(state: FileState): bigint {
  switch (state.kind) {
    case 'directory':
      return BigInt(constants.S_IFDIR | state.mode);
    case 'symlink':
      return BigInt(constants.S_IFLNK | 0o777);
    case 'content':
    case 'skipped':
      return BigInt(constants.S_IFREG | (state.mode ?? 0));
    case 'absent':
      return 0n;
  }
}

function rowOf({ path, state, stamp, isSettled }: Found): BaselineRow[] {
  if (stamp === null) return [];
  return [
    {
      path: path as RelPath,
      state,
      sizeBytes: Number(stamp.size),
      mtimeNs: stamp.mtimeNs,
      ctimeNs: isSettled ? stamp.ctimeNs : NEVER,
      inode: BigInt.asIntN(64, stamp.ino),
    },
  ];
}
