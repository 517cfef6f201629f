/** What the last scans saw of each covered path, so that a step nobody can see into still has pre-images. */

import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { isSha256, type RelPath, type Sha256 } from '../../shared/ids.ts';
import type { Blobs } from './blobs.ts';
import type { Db, SqlRow } from './db.ts';
import { readState, STATE_COLUMNS, stateNames, stateValues } from './state-columns.ts';
import type { BaselineChanges, BaselineRow } from './types.ts';

const COLUMNS = `path, ${stateNames('state')}, size_bytes, mtime_ns, ctime_ns, inode`;
const UPSERT = `INSERT OR REPLACE INTO baseline (${COLUMNS}) VALUES (?, ${Array(STATE_COLUMNS).fill('?').join(', ')}, ?, ?, ?, ?)`;
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
      const before: string = last;
      const rows = this.#db.allWithBigInts(
        `SELECT ${COLUMNS} FROM baseline WHERE path > ? ORDER BY path LIMIT ${PIECE}`,
        last,
      );
      for (const row of rows) {
        const read = readBaselineRow(row);
        last = read.path;
        yield read;
      }
      // A path that is no text reads as another one, and the next piece could begin at this one's beginning.
      if (rows.length < PIECE || Buffer.compare(Buffer.from(last), Buffer.from(before)) <= 0) return;
    }
  }

  one(path: RelPath): BaselineRow | null {
    const [row] = this.#db.allWithBigInts(`SELECT ${COLUMNS} FROM baseline WHERE path = ?`, path);
    return row === undefined ? null : readBaselineRow(row);
  }

  /** Inside of a transaction. Returns the contents that the replaced rows named. */
  update({ add = [], upsert, remove }: BaselineChanges, blobs: Blobs): Sha256[] {
    const replaced = new Set<Sha256>();
    const replace = (path: RelPath, state: FileState): void => {
      const before = this.#db.get('SELECT state_sha256 FROM baseline WHERE path = ?', path)?.[0];
      if (typeof before !== 'string' || !isSha256(before)) return;
      if (state.kind !== 'content' || state.sha256 !== before) replaced.add(before);
    };
    for (const path of remove) {
      replace(path, ABSENT);
      this.#db.run('DELETE FROM baseline WHERE path = ?', path);
    }
    for (const row of upsert) replace(row.path, row.state);
    for (const row of [...add, ...upsert]) {
      if (row.state.kind === 'content') blobs.name(row.state.sha256);
      this.#upsert(row);
    }
    return [...replaced];
  }

  #upsert(row: BaselineRow): void {
    this.#db.run(
      UPSERT,
      row.path,
      ...stateValues(row.state),
      row.sizeBytes,
      BigInt.asIntN(64, row.mtimeNs),
      BigInt.asIntN(64, row.ctimeNs),
      // Some file systems use all 64 bits for an inode; a column has a sign.
      BigInt.asIntN(64, row.inode),
    );
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
