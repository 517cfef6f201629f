/** Opens the history of a folder: for writing, with the lock, repairs and the import; or for reading, without a trace. */

import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_MAX_FILE_BYTES } from '../../shared/file-state.ts';
import { systemClock } from '../base/clock.ts';
import { syncDirectory } from '../base/durable-files.ts';
import { nodeFileSystem } from '../base/file-system.ts';
import { BlobFiles } from './blob-files.ts';
import { BlobRows } from './blob-rows.ts';
import { Blobs } from './blobs.ts';
import { Captures } from './captures.ts';
import { SqliteCheckpointStore, type StoreParts } from './checkpoint-store.ts';
import { Db, type FileLock } from './db.ts';
import { LARGEST_TURN } from './entries.ts';
import { isDamage, toStoreError } from './errors.ts';
import { takeLock } from './folder-lock.ts';
import { importIndexJson } from './import-index-json.ts';
import { checkSchema, migrate, SCHEMA_VERSION } from './schema.ts';
import { isLogAlone, setIndexAside } from './set-aside.ts';
import {
  isStoreThere,
  newerFormat,
  prepareFiles,
  prepareFolders,
  type StorePaths,
  storePaths,
} from './store-folder.ts';
import type { CheckpointStore, OpenStoreOptions } from './types.ts';

const STORE_ID = 'store-id';
const LOCK_WAIT_MS = 2000;
/** A larger index is not read as a whole at each opening; `verify` does it. */
const CHECKED_AT_OPENING_BYTES = 32 * 1024 * 1024;

type Settled = OpenStoreOptions &
  Required<Omit<OpenStoreOptions, 'onDatabaseCall' | 'access'>> & { readonly paths: StorePaths };

/**
 * Throws AppError store-locked, store-untrusted, store-newer-format, store-damaged (the index only for reading: for writing a damaged one
 * is set aside and a new one begun), folder-read-only, disk-full or io-failed.
 */
export async function openStore(options: OpenStoreOptions): Promise<CheckpointStore> {
  const settled = {
    maxFileBytes: DEFAULT_MAX_FILE_BYTES,
    durability: 'full' as const,
    fs: nodeFileSystem,
    clock: systemClock,
    holder: 'another program',
    lockWaitMs: LOCK_WAIT_MS,
    ...options,
    paths: storePaths(options.root),
  };
  try {
    return await (options.access === 'write' ? openForWriting(settled) : openForReading(settled));
  } catch (error) {
    throw toStoreError(error, 'opening the history');
  }
}

async function openForWriting(options: Settled): Promise<CheckpointStore> {
  const { fs, paths } = options;
  await prepareFolders(fs, options.root, paths);
  const lock = await takeLock({
    path: paths.lock,
    holderPath: paths.lockHolder,
    holder: options.holder,
    waitMs: options.lockWaitMs,
    fs,
  });
  const recovered: string[] = [];
  let db: Db | null = null;
  try {
    await prepareFiles(fs, paths);
    db = await openIndex(options, recovered);
    // The index may be new: its name has to last like its commits.
    if (options.durability === 'full') await syncDirectory(fs, paths.checkpoints);
    const parts = assemble(options, db, lock, recovered);
    await parts.files.removeTemporaryFiles();
    recovered.push(...(await importIndexJson({ ...parts, captures: new Captures(db) })));
    return new SqliteCheckpointStore(parts);
  } catch (error) {
    db?.close();
    lock.release();
    throw error;
  }
}

async function openForReading(options: Settled): Promise<CheckpointStore> {
  const { fs, paths } = options;
  const isThere = await isStoreThere(fs, paths);
  const db = isThere ? Db.forReading(paths.index) : Db.inMemory();
  try {
    if (!isThere) migrate(db);
    refuseNewer(db);
    // Begun by a writer that has not come to its first commit: as good as empty, and unreadable for us.
    if (db.version < SCHEMA_VERSION) {
      throw new AppError(
        'store-damaged',
        'The history of this folder has to be opened for writing once before it can be read.',
      );
    }
    checkSchema(db);
    db.makeReadOnly();
    return new SqliteCheckpointStore(assemble(options, db, null, []));
  } catch (error) {
    db.close();
    throw error;
  }
}

async function openIndex(options: Settled, recovered: string[]): Promise<Db> {
  const { fs, paths, clock } = options;
  try {
    if (!(await isLogAlone(fs, paths))) return openChecked(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const name = await setIndexAside(fs, paths, clock.nowMs());
  recovered.push(
    `The index of this folder's history was damaged. It was set aside as ${name} and a new history was begun; the contents in blobs/ are kept.`,
  );
  return openChecked(options);
}

function openChecked({ paths, durability, onDatabaseCall }: Settled): Db {
  const db = Db.forWriting(paths.index, { durability, onCall: onDatabaseCall });
  try {
    refuseNewer(db);
    if (db.sizeBytes() <= CHECKED_AT_OPENING_BYTES) db.checkIntegrity('quick_check');
    checkSchema(db);
    migrate(db);
    refuseLargeTurns(db);
    if (storeIdIn(db) === '') {
      db.transaction('beginning a history', () =>
        db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', STORE_ID, randomUUID()),
      );
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseNewer(db: Db): void {
  if (db.version > SCHEMA_VERSION) throw newerFormat();
}

/** The numbers after an enormous one could not be told apart. */
function refuseLargeTurns(db: Db): void {
  const newest = db.get(
    "SELECT max(coalesce((SELECT max(turn) FROM entries), 0), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'entries'), 0))",
  )?.[0];
  if (Number(newest) <= LARGEST_TURN) return;
  throw new AppError('store-damaged', `The index of this history holds a turn number that was never given.`);
}

function storeIdIn(db: Db): string {
  const storeId = db.get('SELECT value FROM meta WHERE key = ?', STORE_ID)?.[0];
  return typeof storeId === 'string' ? storeId : '';
}

function assemble(
  { root, maxFileBytes, durability, fs, clock, paths }: Settled,
  db: Db,
  lock: FileLock | null,
  recovered: readonly string[],
): StoreParts {
  const blobRows = new BlobRows(db);
  const files = new BlobFiles({ folder: paths.blobs, temporaryFolder: paths.temporary, fs });
  return {
    root,
    storeId: storeIdIn(db),
    maxFileBytes,
    fs,
    paths,
    db,
    blobRows,
    files,
    blobs: new Blobs({ files, rows: blobRows, isDurable: durability === 'full' }),
    clock,
    recovered,
    onClose: () => lock?.release(),
  };
}
