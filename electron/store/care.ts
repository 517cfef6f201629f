/** Taking care of a history: checking it, making it smaller, counting it. */

import { AppError } from '../../shared/errors.ts';
import type { PrunePolicy, PruneReport, StoreStats, VerifyReport } from '../../shared/history.ts';
import { asSha256, asTurnNumber, type Sha256, type TurnNumber } from '../../shared/ids.ts';
import type { Progress } from '../../shared/transcript.ts';
import type { FileSystem } from '../base/file-system.ts';
import type { BlobFiles } from './blob-files.ts';
import type { BlobRows } from './blob-rows.ts';
import type { Blobs } from './blobs.ts';
import type { Db } from './db.ts';
import { contentsNamedIn, otherIndexes } from './other-indexes.ts';
import type { StorePaths } from './store-folder.ts';

/** Named by something that stays. */
const ALWAYS = Number.POSITIVE_INFINITY;

export interface CareParts {
  readonly fs: FileSystem;
  readonly paths: StorePaths;
  readonly db: Db;
  readonly files: BlobFiles;
  readonly blobs: Blobs;
  readonly blobRows: BlobRows;
}

type OnProgress = ((progress: Progress) => void) | undefined;

/** Reads every blob. Throws cancelled once the signal is aborted. */
export async function verify(
  { db, files, blobs, blobRows }: CareParts,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Promise<VerifyReport> {
  db.checkIntegrity('integrity_check');
  const named = new Set(blobRows.named());
  const listed = await files.list();
  const present = new Set<Sha256>();
  const damaged: Sha256[] = [];
  let bytes = 0;
  const tell = teller('verify', 'Checking the history', listed.length, onProgress);
  for (const [index, sha256] of listed.entries()) {
    if (signal?.aborted === true) throw new AppError('cancelled', 'The check was stopped.');
    const found = await blobs.check(sha256);
    if (found === 'damaged') damaged.push(sha256);
    if (found !== 'missing') present.add(sha256);
    bytes += await files.sizeOf(sha256);
    tell(index + 1);
  }
  const missing = [...named].filter((sha256) => !present.has(sha256));
  return {
    ok: missing.length === 0 && damaged.length === 0,
    turns: countOf(db, 'SELECT count(*) FROM entries'),
    blobs: present.size,
    bytes,
    missing: missing.sort(),
    damaged: damaged.sort(),
    orphans: [...present].filter((sha256) => !named.has(sha256)).sort(),
  };
}

/**
 * Removes the oldest entries, and the contents that nothing names any more: the rows first, in one commit, then the files (I5).
 * Never an entry that is running, and never one of the newest `keepTurns`. Stopping is safe at any moment: what is left over is removed by
 * the next prune.
 */
export async function prune(
  { fs, paths, db, files, blobs, blobRows }: CareParts,
  policy: PrunePolicy,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Promise<PruneReport> {
  const namedElsewhere = await contentsNamedIn(fs, await otherIndexes(fs, paths));
  const sizes = new Map<Sha256, number>();
  for (const sha256 of await files.list()) sizes.set(sha256, await files.sizeOf(sha256));
  const lastUses = lastUsesIn(db);
  for (const sha256 of namedElsewhere) lastUses.set(sha256, ALWAYS);
  const turns = chooseTurns(db, policy, sizes, lastUses);
  const newestGone = turns.at(-1) ?? 0;
  const contents = [...sizes.keys()].filter((sha256) => (lastUses.get(sha256) ?? 0) <= newestGone);
  if (policy.dryRun === true) return reportOf(turns, contents, sizes);
  db.transaction('removing old history', () => {
    for (const turn of turns) db.run('DELETE FROM entries WHERE turn = ?', turn);
    blobRows.removeUnnamed();
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
    bytesLogical: countOf(db, "SELECT total(pre_bytes) FROM captures WHERE pre_kind = 'content'"),
    bytesOnDisk: countOf(db, 'SELECT total(bytes) FROM blobs') + db.sizeBytes(),
  };
}

/** Only ever the oldest turns are removed, so that a content goes together with the newest turn that names it. */
function lastUsesIn(db: Db): Map<Sha256, number> {
  const uses = new Map<Sha256, number>();
  const byTurns = db.all(
    'SELECT pre_sha256, max(turn) FROM captures WHERE pre_sha256 IS NOT NULL GROUP BY pre_sha256',
  );
  for (const [sha256, turn] of byTurns) uses.set(asSha256(String(sha256)), Number(turn));
  const byBaseline = db.all('SELECT DISTINCT state_sha256 FROM baseline WHERE state_sha256 IS NOT NULL');
  for (const [sha256] of byBaseline) uses.set(asSha256(String(sha256)), ALWAYS);
  return uses;
}

function chooseTurns(
  db: Db,
  { keepTurns, maxBytes }: PrunePolicy,
  sizes: ReadonlyMap<Sha256, number>,
  lastUses: ReadonlyMap<Sha256, number>,
): TurnNumber[] {
  const freedWith = new Map<number, number>();
  let kept = 0;
  for (const [sha256, bytes] of sizes) {
    const lastUse = lastUses.get(sha256);
    // What nothing names goes in any case.
    if (lastUse === undefined) continue;
    kept += bytes;
    freedWith.set(lastUse, (freedWith.get(lastUse) ?? 0) + bytes);
  }
  const oldestFirst = db.all('SELECT turn, outcome FROM entries ORDER BY turn');
  const mostRemoved = keepTurns === undefined ? oldestFirst.length : oldestFirst.length - keepTurns;
  const chosen: TurnNumber[] = [];
  for (const [turn, outcome] of oldestFirst.slice(0, Math.max(0, mostRemoved))) {
    // With a size, the number of turns is what is kept at least; without one, it is what is kept.
    const isEnough = maxBytes === undefined ? keepTurns === undefined : kept <= maxBytes;
    if (isEnough || outcome === 'running') break;
    chosen.push(asTurnNumber(Number(turn)));
    kept -= freedWith.get(Number(turn)) ?? 0;
  }
  return chosen;
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
