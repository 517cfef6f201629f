/** Opens the history of a folder: for writing, with the lock, repairs and the import; or for reading, without a trace. */

import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_MAX_FILE_BYTES } from '../../shared/file-state.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type FileSystem, nodeFileSystem } from '../base/file-system.ts';
import { isSystemError } from '../base/io-errors.ts';
import { BlobRows } from './blob-rows.ts';
import { Blobs } from './blobs.ts';
import { Captures } from './captures.ts';
import { SqliteCheckpointStore } from './checkpoint-store.ts';
import { Db, type FileLock } from './db.ts';
import { isDamage, toStoreError } from './errors.ts';
import { takeLock } from './folder-lock.ts';
import { importIndexJson } from './import-index-json.ts';
import { MIGRATIONS } from './migrations.ts';
import { isStoreThere, prepareStoreFolder, type StorePaths, storePaths } from './store-folder.ts';
import type { CheckpointStore, OpenStoreOptions } from './types.ts';

const STORE_ID = 'store-id';
const LOCK_WAIT_MS = 2000;
/** A larger index is not read as a whole at each opening; `verify` does it. */
const CHECKED_AT_OPENING_BYTES = 32 * 1024 * 1024;

/**
 * Throws AppError store-locked, store-untrusted, store-newer-format, store-damaged (only for reading: for writing a damaged index is set
 * aside and a new one begun), folder-read-only, disk-full or io-failed.
 */
export async function openStore(options: OpenStoreOptions): Promise<CheckpointStore> {
  try {
    return await (options.access === 'write' ? openForWriting(options) : openForReading(options));
  } catch (error) {
    throw toStoreError(error, 'opening the history');
  }
}

async function openForWriting(options: OpenStoreOptions): Promise<CheckpointStore> {
  const fs = options.fs ?? nodeFileSystem;
  const clock = options.clock ?? systemClock;
  const paths = storePaths(options.root);
  await prepareStoreFolder(fs, paths);
  const lock = await takeLock({
    path: paths.lock,
    holder: options.holder ?? 'another program',
    waitMs: options.lockWaitMs ?? LOCK_WAIT_MS,
    fs,
  });
  const recovered: string[] = [];
  let db: Db | null = null;
  try {
    db = await openIndex(options, paths, fs, clock, recovered);
    const store = assemble(options, paths, db, lock, recovered);
    await store.blobs.removeTemporaryFiles();
    const { blobs, blobRows } = store;
    recovered.push(
      ...(await importIndexJson({
        path: paths.importable,
        fs,
        db,
        blobs,
        blobRows,
        captures: new Captures(db),
      })),
    );
    return new SqliteCheckpointStore(store);
  } catch (error) {
    db?.close();
    lock.release();
    throw error;
  }
}

async function openForReading(options: OpenStoreOptions): Promise<CheckpointStore> {
  const fs = options.fs ?? nodeFileSystem;
  const paths = storePaths(options.root);
  const isThere = await isStoreThere(fs, paths);
  const db = isThere ? Db.forReading(paths.index) : Db.inMemory();
  try {
    if (!isThere) db.migrate();
    refuseNewer(db);
    // Begun by a writer that has not come to its first commit: as good as empty, and unreadable for us.
    if (db.version < MIGRATIONS.length) {
      throw new AppError(
        'store-damaged',
        'The history of this folder has to be opened for writing once before it can be read.',
      );
    }
    db.checkSchema();
    db.makeReadOnly();
    return new SqliteCheckpointStore(assemble(options, paths, db, null, []));
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A damaged index is set aside, never deleted: its blobs stay, and what it holds may still be got out by hand. */
async function openIndex(
  options: OpenStoreOptions,
  paths: StorePaths,
  fs: FileSystem,
  clock: Clock,
  recovered: string[],
): Promise<Db> {
  try {
    return openChecked(options, paths);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const suffix = `damaged-${new Date(clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const ending of ['', '-wal', '-shm']) {
    await fs
      .rename(`${paths.index}${ending}`, `${paths.index}.${suffix}${ending}`)
      .catch((error: unknown) => {
        if (!isSystemError(error, 'ENOENT')) throw error;
      });
  }
  recovered.push(
    `The index of this folder's history was damaged. It was set aside as index.sqlite.${suffix} and a new history was begun; the contents in blobs/ are kept.`,
  );
  return openChecked(options, paths);
}

function openChecked(options: OpenStoreOptions, paths: StorePaths): Db {
  const db = Db.forWriting(paths.index, {
    durability: options.durability ?? 'full',
    onCall: options.onDatabaseCall,
  });
  try {
    refuseNewer(db);
    if (db.sizeBytes() <= CHECKED_AT_OPENING_BYTES) db.checkIntegrity('quick_check');
    db.checkSchema();
    db.migrate();
    if (db.get('SELECT value FROM meta WHERE key = ?', STORE_ID) === undefined) {
      db.transaction('beginning a history', () =>
        db.run('INSERT INTO meta (key, value) VALUES (?, ?)', STORE_ID, randomUUID()),
      );
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseNewer(db: Db): void {
  if (db.version <= MIGRATIONS.length) return;
  throw new AppError(
    'store-newer-format',
    'The history of this folder was written by a newer version of the app. Update the app to open it.',
  );
}

function assemble(
  options: OpenStoreOptions,
  paths: StorePaths,
  db: Db,
  lock: FileLock | null,
  recovered: readonly string[],
): ConstructorParameters<typeof SqliteCheckpointStore>[0] {
  const blobRows = new BlobRows(db);
  const storeId = db.get('SELECT value FROM meta WHERE key = ?', STORE_ID)?.[0];
  return {
    root: options.root,
    storeId: typeof storeId === 'string' ? storeId : '',
    maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    db,
    blobRows,
    blobs: new Blobs({
      folder: paths.blobs,
      temporaryFolder: paths.temporary,
      fs: options.fs ?? nodeFileSystem,
      rows: blobRows,
      isDurable: (options.durability ?? 'full') === 'full',
    }),
    clock: options.clock ?? systemClock,
    recovered,
    onClose: () => lock?.release(),
  };
}
