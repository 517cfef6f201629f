/** The one owner of the database library: opens the index safely, runs statements, and turns failures into errors for people. */

import Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import { toStoreError } from './errors.ts';
import { hasLog, imageWithoutLog, lookOf } from './index-image.ts';
import { shortenLog } from './shorten-log.ts';
import type { Durability } from './types.ts';

export type SqlValue = string | number | bigint | null;
export type SqlRow = readonly unknown[];

/** SQLite's own default: about 4 MB. */
const LOG_PAGES = 1000;
/** A change writes two or three pages. */
const LONG_LOG_CHANGES = 8000;

interface Connection {
  readonly database: Database.Database;
  readonly statements: Map<string, Database.Statement<unknown[], SqlRow>>;
  /** Whether the file is no longer what this connection takes it for. */
  readonly isOutdated: () => boolean;
}

export interface DbOptions {
  readonly durability: Durability;
  readonly onCall: ((call: string) => void) | undefined;
}

export class Db {
  readonly #connect: () => Connection;
  readonly #onCall: (call: string) => void;
  readonly #durability: Durability;
  #connection: Connection;
  #isReadOnly: boolean;
  #changesInLog = 0;

  private constructor(connect: () => Connection, isReadOnly: boolean, options: DbOptions) {
    this.#connect = connect;
    this.#onCall = options.onCall ?? (() => undefined);
    this.#durability = options.durability;
    this.#connection = connect();
    this.#isReadOnly = isReadOnly;
  }

  static forWriting(path: string, options: DbOptions): Db {
    return attempt('opening the history', () => {
      const db = new Db(() => connection(new Database(path)), false, options);
      try {
        db.#pragma('journal_mode = WAL');
        // Keeps a long log from holding its space for good.
        db.#pragma('journal_size_limit = 16777216');
        db.#pragma(`synchronous = ${db.#synchronous}`);
        // macOS: a plain sync leaves the bytes in the drive's own memory.
        db.#pragma(`fullfsync = ${options.durability === 'full' ? 'ON' : 'OFF'}`);
        return db;
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /** Blocks until the disk has it; for a thread of its own. */
  static shortenLog(path: string): void {
    const { database } = connection(new Database(path, { fileMustExist: true }));
    try {
      database.pragma('checkpoint_fullfsync = ON');
      database.pragma('wal_checkpoint(PASSIVE)');
    } finally {
      database.close();
    }
  }

  static forReading(path: string): Db {
    return attempt(
      'opening the history',
      () => new Db(() => readingConnection(path), true, { durability: 'full', onCall: undefined }),
    );
  }

  /** A history that is nowhere on disk: what a folder without a store reads as. */
  static inMemory(): Db {
    return new Db(() => connection(new Database(':memory:')), false, {
      durability: 'process',
      onCall: undefined,
    });
  }

  makeReadOnly(): void {
    this.#isReadOnly = true;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  get version(): number {
    return attempt('reading the history', () => Number(this.#pragma('user_version')));
  }

  all(sql: string, ...values: SqlValue[]): SqlRow[] {
    return attempt('reading the history', () => this.#statement(sql).all(...values));
  }

  /** As `all`, with every integer as a bigint: times in nanoseconds don't fit into a number. */
  allWithBigInts(sql: string, ...values: SqlValue[]): SqlRow[] {
    return attempt('reading the history', () => {
      const statement = this.#statement(sql);
      statement.safeIntegers(true);
      return statement.all(...values);
    });
  }

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return attempt('reading the history', () => this.#statement(sql).get(...values));
  }

  /** A changing statement; only inside of `transaction`. */
  run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
    this.#onCall(sql);
    this.#changesInLog += 1;
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return { changes, id: Number(lastInsertRowid) };
  }

  /**
   * All of the work or nothing. With `sync: 'later'` the commit is ordered but becomes durable only with the next one: for
   * facts that recovery can find out again.
   */
  transaction<T>(doing: string, work: () => T, sync: 'now' | 'later' = 'now'): T {
    if (this.#isReadOnly) {
      throw new AppError(
        'folder-read-only',
        'This history is open for reading only; nothing in it can be changed.',
      );
    }
    return attempt(doing, () => {
      const { database } = this.#connection;
      const relaxed = sync === 'later' && this.#synchronous !== 'NORMAL';
      if (relaxed) this.#pragma('synchronous = NORMAL');
      try {
        this.#onCall('BEGIN IMMEDIATE');
        database.exec('BEGIN IMMEDIATE');
        const result = work();
        this.#onCall('COMMIT');
        database.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite may have rolled back by itself (disk full, i/o error).
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      } finally {
        if (relaxed) this.#pragma(`synchronous = ${this.#synchronous}`);
      }
    });
  }

  /**
   * One of many commits in a row: as `transaction` with `sync: 'later'`, and it never stops to work the log into the index. Whoever
   * makes them waits for `logShortened` in between.
   */
  bulkTransaction<T>(doing: string, work: () => T): T {
    this.#pragma('wal_autocheckpoint = 0');
    try {
      return this.transaction(doing, work, 'later');
    } finally {
      this.#pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    }
  }

  async logShortened(): Promise<void> {
    if (this.#changesInLog < LONG_LOG_CHANGES) return;
    this.#changesInLog = 0;
    await shortenLog(this.#connection.database.name);
  }

  /** Throws what `transaction` throws. */
  runMigration(version: number, sql: string): void {
    this.transaction('updating the history', () => {
      this.#onCall(`migration ${version}`);
      this.#connection.database.exec(sql);
      this.#pragma(`user_version = ${version}`);
    });
  }

  /** Throws store-damaged. Reads every page, so it takes its time on a large index. */
  checkIntegrity(how: 'quick_check' | 'integrity_check'): void {
    const [problem] = this.all(`PRAGMA ${how}(1)`);
    if (problem?.[0] !== 'ok') {
      throw new AppError('store-damaged', `The index of this history is damaged (${String(problem?.[0])}).`);
    }
  }

  sizeBytes(): number {
    return Number(this.#pragma('page_count')) * Number(this.#pragma('page_size'));
  }

  close(): void {
    this.#connection.database.close();
  }

  get #synchronous(): 'FULL' | 'NORMAL' {
    return this.#durability === 'full' ? 'FULL' : 'NORMAL';
  }

  #pragma(text: string): unknown {
    return this.#connection.database.pragma(text, { simple: true });
  }

  #statement(sql: string): Database.Statement<unknown[], SqlRow> {
    if (this.#connection.isOutdated()) {
      this.#connection.database.close();
      this.#connection = this.#connect();
    }
    return prepare(this.#connection, sql);
  }
}

/** Holds an exclusive lock on a file until it is closed; the system frees it when the process dies, however it dies. */
export class FileLock {
  readonly #database: Database.Database;

  private constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Throws SQLite's own error: SQLITE_BUSY when another process holds it. */
  static take(path: string): FileLock {
    const database = new Database(path, { timeout: 0 });
    try {
      // Nothing is ever written, so the file stays empty and no journal comes into being.
      database.exec('BEGIN EXCLUSIVE');
      return new FileLock(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  release(): void {
    this.#database.close();
  }
}

/**
 * A connection that changes nothing on disk, also where nothing may be written. SQLite itself makes files beside an index
 * whose log is gone, so such an index is read into memory; when its file looks different, the next statement reads it anew.
 * With a log, a writer has made all files that a plain connection needs.
 */
function readingConnection(path: string): Connection {
  if (hasLog(path)) return connection(new Database(path, { readonly: true, fileMustExist: true }));
  const opened = lookOf(path);
  return connection(
    new Database(imageWithoutLog(path), { readonly: true }),
    () => hasLog(path) || lookOf(path) !== opened,
  );
}

function connection(database: Database.Database, isOutdated = () => false): Connection {
  database.pragma('foreign_keys = ON');
  // An index may have been edited by anybody: functions in its schema get no trust, and its pages are checked when read.
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  database.pragma('temp_store = MEMORY');
  return { database, statements: new Map(), isOutdated };
}

function prepare({ database, statements }: Connection, sql: string): Database.Statement<unknown[], SqlRow> {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare<unknown[], SqlRow>(sql);
  // Rows as arrays: faster, and no names to keep in step.
  if (statement.reader) statement.raw(true);
  statements.set(sql, statement);
  return statement;
}

function attempt<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, doing);
  }
}
