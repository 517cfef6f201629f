/** What the last scans saw of each covered path, so that a step nobody can see into still has pre-images. */

import type { RelPath } from '../../shared/ids.ts';
import type { Db, SqlRow } from './db.ts';
import { readState, STATE_COLUMNS, stateNames, stateValues } from './state-columns.ts';
import type { BaselineRow } from './types.ts';

const COLUMNS = `path, ${stateNames('state')}, size_bytes, mtime_ns, ctime_ns, inode`;
const STATE = 1;
const REST = STATE + STATE_COLUMNS;
/** Read in pieces, so that a large folder's baseline is not in memory as a whole. */
const PIECE = 2000;

export class Baseline {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  *all(): Iterable<BaselineRow> {
    let last: RelPath | '' = '';
    for (;;) {
      const rows = this.#db.allWithBigInts(
        `SELECT ${COLUMNS} FROM baseline WHERE path > ? ORDER BY path LIMIT ${PIECE}`,
        last,
      );
      for (const row of rows) {
        const read = readBaselineRow(row);
        last = read.path;
        yield read;
      }
      if (rows.length < PIECE) return;
    }
  }

  one(path: RelPath): BaselineRow | null {
    const [row] = this.#db.allWithBigInts(`SELECT ${COLUMNS} FROM baseline WHERE path = ?`, path);
    return row === undefined ? null : readBaselineRow(row);
  }

  /** Inside of a transaction. */
  upsert(row: BaselineRow): void {
    this.#db.run(
      `INSERT OR REPLACE INTO baseline (${COLUMNS}) VALUES (?, ${Array(STATE_COLUMNS).fill('?').join(', ')}, ?, ?, ?, ?)`,
      row.path,
      ...stateValues(row.state),
      row.sizeBytes,
      BigInt.asIntN(64, row.mtimeNs),
      BigInt.asIntN(64, row.ctimeNs),
      // Some file systems use all 64 bits for an inode; a column has a sign.
      BigInt.asIntN(64, row.inode),
    );
  }

  /** Inside of a transaction. */
  remove(path: RelPath): void {
    this.#db.run('DELETE FROM baseline WHERE path = ?', path);
  }
}

function readBaselineRow(row: SqlRow): BaselineRow {
  const [sizeBytes, mtimeNs, ctimeNs, inode] = row.slice(REST);
  return {
    path: String(row[0]) as RelPath,
    state: readState(row, STATE),
    sizeBytes: Number(sizeBytes),
    mtimeNs: asBigInt(mtimeNs),
    ctimeNs: asBigInt(ctimeNs),
    inode: BigInt.asUintN(64, asBigInt(inode)),
  };
}

const asBigInt = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);
