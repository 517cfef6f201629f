/** Brings the tables up to date, and looks at them before they are trusted. */

import { AppError } from '../../shared/errors.ts';
import { Db, type SqlRow } from './db.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Each step is a commit of its own, together with its number: a crash leaves the tables of one version or of the next. */
export function migrate(db: Db, to = SCHEMA_VERSION): void {
  for (const [index, step] of MIGRATIONS.slice(0, to).entries()) {
    if (index >= db.version) db.runMigration(index + 1, step);
  }
}

/**
 * Throws store-damaged unless the tables are what the migrations make, no more and no less: a planted index may carry
 * triggers and views that act whenever it is used.
 */
export function checkSchema(db: Db): void {
  const made = Db.inMemory();
  try {
    migrate(made, db.version);
    if (JSON.stringify(schemaOf(db)) === JSON.stringify(schemaOf(made))) return;
    throw new AppError('store-damaged', 'The index of this history holds tables that this app did not make.');
  } finally {
    made.close();
  }
}

const schemaOf = (db: Db): SqlRow[] =>
  db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name');
