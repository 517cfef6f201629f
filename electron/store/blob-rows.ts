/** The table of contents that are whole on disk. */

import { asSha256, type Sha256 } from '../../shared/ids.ts';
import type { Db } from './db.ts';

/** What keeps a content: the pre-images of turns and rewinds, and the baseline. */
const NAMED = `SELECT pre_sha256 AS sha256 FROM captures WHERE pre_sha256 IS NOT NULL
  UNION SELECT state_sha256 FROM baseline WHERE state_sha256 IS NOT NULL`;

const IS_NAMED = `SELECT 1 FROM captures WHERE pre_sha256 = ?
  UNION ALL SELECT 1 FROM baseline WHERE state_sha256 = ? LIMIT 1`;

export class BlobRows {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  has(sha256: Sha256): boolean {
    return this.#db.get('SELECT 1 FROM blobs WHERE sha256 = ?', sha256) !== undefined;
  }

  /** Everything that any row of a turn, a rewind or the baseline names, once each. */
  named(): Sha256[] {
    return this.#db.all(NAMED).map(([sha256]) => asSha256(String(sha256)));
  }

  /** Those of the contents that nothing names any more. */
  unnamedOf(contents: readonly Sha256[]): Sha256[] {
    return contents.filter((sha256) => this.#db.get(IS_NAMED, sha256, sha256) === undefined);
  }

  count(): number {
    return Number(this.#db.get('SELECT count(*) FROM blobs')?.[0] ?? 0);
  }

  // What follows changes rows; each is called inside of a transaction.

  add(sha256: Sha256, bytes: number): void {
    this.#db.run('INSERT OR IGNORE INTO blobs (sha256, bytes) VALUES (?, ?)', sha256, bytes);
  }

  removeAll(contents: Iterable<Sha256>): void {
    for (const sha256 of contents) this.#db.run('DELETE FROM blobs WHERE sha256 = ?', sha256);
  }

  /** Removes the rows that nothing names any more. */
  removeUnnamed(): void {
    this.#db.run(`DELETE FROM blobs WHERE sha256 NOT IN (${NAMED})`);
  }
}
