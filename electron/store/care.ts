/** Taking care of a history: checking it, making it smaller, counting it. */

import { AppError } from '../../shared/errors.ts';
import type { PrunePolicy, PruneReport, StoreStats, VerifyReport } from '../../shared/history.ts';
import { asSha256, asTurnNumber, type Sha256, type TurnNumber } from '../../shared/ids.ts';
import type { Progress } from '../../shared/transcript.ts';
import type { BlobRows } from './blob-rows.ts';
import type { Blobs } from './blobs.ts';
import type { Db } from './db.ts';

export interface CareParts {
  readonly db: Db;
  readonly blobs: Blobs;
  readonly rows: BlobRows;
}

type OnProgress = ((progress: Progress) => void) | undefined;

/** Reads every blob. Throws cancelled once the signal is aborted. */
export async function verify(
  { db, blobs, rows }: CareParts,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Promise<VerifyReport> {
  db.checkIntegrity('integrity_check');
  const named = new Set(rows.named());
  const present = await blobs.onDisk();
  const damaged: Sha256[] = [];
  let bytes = 0;
  const tell = teller('verify', 'Checking the history', present.length, onProgress);
  for (const [index, sha256] of present.entries()) {
    if (signal?.aborted === true) throw new AppError('cancelled', 'The check was stopped.');
    if ((await blobs.check(sha256)) !== 'ok') damaged.push(sha256);
    bytes += await blobs.sizeOf(sha256);
    tell(index + 1);
  }
  const onDisk = new Set(present);
  const missing = [...named].filter((sha256) => !onDisk.has(sha256));
  return {
    ok: missing.length === 0 && damaged.length === 0,
    turns: countOf(db, 'SELECT count(*) FROM entries'),
    blobs: present.length,
    bytes,
    missing: missing.sort(),
    damaged: damaged.sort(),
    orphans: present.filter((sha256) => !named.has(sha256)).sort(),
  };
}

/**
 * Removes the oldest entries, and the contents that nothing names any more: the rows first, in one commit, then the files (I5).
 * Never an entry that is running, and never one of the newest `keepTurns`. Stopping is safe at any moment: what is left over is removed by
 * the next prune.
 */
export async function prune(
  parts: CareParts,
  policy: PrunePolicy,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Promise<PruneReport> {
  const { db, blobs, rows } = parts;
  const sizes = new Map<Sha256, number>();
  for (const sha256 of await blobs.onDisk()) sizes.set(sha256, await blobs.sizeOf(sha256));
  const turns = chooseTurns(db, policy, sizes);
  const contents = unnamedWithout(db, turns, sizes);
  if (policy.dryRun === true) return reportOf(turns, contents, sizes);
  db.transaction('removing old history', () => {
    for (const turn of turns) db.run('DELETE FROM entries WHERE turn = ?', turn);
    rows.removeUnnamed();
  });
  const tell = teller('prune', 'Removing old history', contents.length, onProgress);
  const removed: Sha256[] = [];
  // In pieces, so that a capture never waits long.
  for (const sha256 of contents) {
    if (signal?.aborted === true) break;
    await blobs.remove([sha256], (gone) => removed.push(gone));
    tell(removed.length);
  }
  tell(contents.length);
  return reportOf(turns, removed, sizes);
}

export function stats({ db }: CareParts): StoreStats {
  return {
    turns: countOf(db, 'SELECT count(*) FROM entries'),
    captures: countOf(db, 'SELECT count(*) FROM captures'),
    blobs: countOf(db, 'SELECT count(*) FROM blobs'),
    bytesLogical: countOf(db, "SELECT coalesce(sum(pre_bytes), 0) FROM captures WHERE pre_kind = 'content'"),
    bytesOnDisk: countOf(db, 'SELECT coalesce(sum(bytes), 0) FROM blobs') + db.sizeBytes(),
  };
}

function chooseTurns(db: Db, policy: PrunePolicy, sizes: ReadonlyMap<Sha256, number>): TurnNumber[] {
  const oldestFirst = db.all('SELECT turn, outcome FROM entries ORDER BY turn');
  const isOverBytes = (chosen: readonly TurnNumber[]): boolean => {
    if (policy.maxBytes === undefined) return false;
    const gone = new Set(unnamedWithout(db, chosen, sizes));
    let kept = 0;
    for (const [sha256, bytes] of sizes) kept += gone.has(sha256) ? 0 : bytes;
    return kept > policy.maxBytes;
  };
  const mostRemoved =
    policy.keepTurns === undefined ? oldestFirst.length : Math.max(0, oldestFirst.length - policy.keepTurns);
  const byCount = policy.keepTurns === undefined || policy.maxBytes !== undefined ? 0 : mostRemoved;
  const chosen: TurnNumber[] = [];
  for (const [turn, outcome] of oldestFirst.slice(0, mostRemoved)) {
    if (outcome === 'running' || (chosen.length >= byCount && !isOverBytes(chosen))) break;
    chosen.push(asTurnNumber(Number(turn)));
  }
  return chosen;
}

function unnamedWithout(db: Db, turns: readonly TurnNumber[], sizes: ReadonlyMap<Sha256, number>): Sha256[] {
  const newestGone = turns.at(-1) ?? 0;
  // Only ever the oldest are chosen, so "without these" is "after the newest of these".
  const named = new Set(
    db
      .all(
        `SELECT pre_sha256 FROM captures WHERE pre_sha256 IS NOT NULL AND turn > ?
         UNION SELECT state_sha256 FROM baseline WHERE state_sha256 IS NOT NULL`,
        newestGone,
      )
      .map(([sha256]) => asSha256(String(sha256))),
  );
  return [...sizes.keys()].filter((sha256) => !named.has(sha256));
}

const reportOf = (
  turns: readonly TurnNumber[],
  contents: readonly Sha256[],
  sizes: ReadonlyMap<Sha256, number>,
): PruneReport => ({
  turnsRemoved: turns.length,
  blobsRemoved: contents.length,
  bytesFreed: contents.reduce((sum, sha256) => sum + (sizes.get(sha256) ?? 0), 0),
});

const countOf = (db: Db, sql: string): number => Number(db.all(sql)[0]?.[0] ?? 0);

function teller(id: string, name: string, total: number, onProgress: OnProgress): (done: number) => void {
  return (done) => onProgress?.({ id, name, done, total, finished: done >= total, stoppable: true });
}
