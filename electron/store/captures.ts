/** The captures of all entries: what each path was before, was to become, and became. */

import type { FileState } from '../../shared/file-state.ts';
import { asTurnNumber, type RelPath, type TurnNumber } from '../../shared/ids.ts';
import type { Db, SqlRow } from './db.ts';
import { readStrings } from './json-columns.ts';
import { timeOf } from './plain-columns.ts';
import {
  readOptionalState,
  readState,
  STATE_COLUMNS,
  stateAssignments,
  stateNames,
  stateValues,
} from './state-columns.ts';
import type { CaptureRow } from './types.ts';

const COLUMNS = `turn, path, ${stateNames('pre')}, ${stateNames('intent')}, ${stateNames('post')}, recovered, undone_by, marks, temp, at_ms`;
const PRE = 2;
const INTENT = PRE + STATE_COLUMNS;
const POST = INTENT + STATE_COLUMNS;
const REST = POST + STATE_COLUMNS;

/** Paths, when given, name themselves and all below them. `0` is the character after `/`. */
const AT_OR_BELOW = "(path = ? OR (path > ? || '/' AND path < ? || '0'))";

export class Captures {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  of(turn: TurnNumber): CaptureRow[] {
    return this.#db.all(`SELECT ${COLUMNS} FROM captures WHERE turn = ? ORDER BY id`, turn).map(readCapture);
  }

  one(turn: TurnNumber, path: RelPath): CaptureRow | null {
    const row = this.#db.get(`SELECT ${COLUMNS} FROM captures WHERE turn = ? AND path = ?`, turn, path);
    return row === undefined ? null : readCapture(row);
  }

  has(turn: TurnNumber, path: RelPath): boolean {
    return this.#db.get('SELECT 1 FROM captures WHERE turn = ? AND path = ?', turn, path) !== undefined;
  }

  hasAny(turn: TurnNumber): boolean {
    return this.#db.get('SELECT 1 FROM captures WHERE turn = ? LIMIT 1', turn) !== undefined;
  }

  inForce(from: TurnNumber, paths: readonly RelPath[] | undefined): CaptureRow[] {
    const select = `SELECT ${COLUMNS}, id FROM captures
      WHERE turn >= ? AND undone_by IS NULL AND (SELECT kind FROM entries WHERE entries.turn = captures.turn) = 'agent'`;
    if (paths === undefined) {
      return this.#db.all(`${select} ORDER BY turn, id`, from).map(readCapture);
    }
    // Asked for one by one: a path and its directory may both be named, and each capture is wanted once.
    const found = new Map<number, CaptureRow>();
    for (const path of paths) {
      for (const row of this.#db.all(`${select} AND ${AT_OR_BELOW}`, from, path, path, path)) {
        found.set(Number(row.at(-1)), readCapture(row));
      }
    }
    return [...found].sort(([a, left], [b, right]) => left.turn - right.turn || a - b).map(([, row]) => row);
  }

  previous(path: RelPath, before: TurnNumber): CaptureRow | null {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM captures WHERE path = ? AND turn < ? ORDER BY turn DESC LIMIT 1`,
      path,
      before,
    );
    return row === undefined ? null : readCapture(row);
  }

  pending(): CaptureRow[] {
    return this.#db
      .all(
        `SELECT ${COLUMNS} FROM captures WHERE post_kind IS NULL AND intent_kind IS NOT NULL ORDER BY turn, id`,
      )
      .map(readCapture);
  }

  // What follows changes rows; each is called inside of a transaction.

  insert(capture: {
    turn: TurnNumber;
    path: RelPath;
    pre: FileState;
    intent: FileState | null;
    post: FileState | null;
    marks: readonly string[];
    temp: string | null;
    atMs: number;
  }): void {
    this.#db.run(
      `INSERT INTO captures (turn, path, ${stateNames('pre')}, ${stateNames('intent')}, ${stateNames('post')}, marks, temp, at_ms)
       VALUES (?, ?, ${Array(3 * STATE_COLUMNS)
         .fill('?')
         .join(', ')}, ?, ?, ?)`,
      capture.turn,
      capture.path,
      ...stateValues(capture.pre),
      ...stateValues(capture.intent),
      ...stateValues(capture.post),
      JSON.stringify(capture.marks),
      capture.temp,
      capture.atMs,
    );
  }

  setIntent(turn: TurnNumber, path: RelPath, intent: FileState, temp: string | null): void {
    this.#db.run(
      `UPDATE captures SET ${stateAssignments('intent')}, ${stateAssignments('post')}, temp = ? WHERE turn = ? AND path = ?`,
      ...stateValues(intent),
      ...stateValues(null),
      temp,
      turn,
      path,
    );
  }

  /** Sets what the path became; the change is no longer pending. Returns whether there was such a capture. */
  setPost(
    turn: TurnNumber,
    path: RelPath,
    post: FileState,
    marks: readonly string[],
    recovered: boolean,
  ): boolean {
    const { changes } = this.#db.run(
      `UPDATE captures SET ${stateAssignments('post')}, marks = ?, recovered = ?, temp = NULL WHERE turn = ? AND path = ?`,
      ...stateValues(post),
      JSON.stringify(marks),
      recovered ? 1 : 0,
      turn,
      path,
    );
    return changes > 0;
  }

  remove(turn: TurnNumber, path: RelPath): void {
    this.#db.run('DELETE FROM captures WHERE turn = ? AND path = ?', turn, path);
  }

  setUndoneBy(turn: TurnNumber, path: RelPath, rewind: TurnNumber | null): void {
    this.#db.run('UPDATE captures SET undone_by = ? WHERE turn = ? AND path = ?', rewind, turn, path);
  }
}

function readCapture(row: SqlRow): CaptureRow {
  const [recovered, undoneBy, marks, temp, atMs] = row.slice(REST);
  return {
    turn: asTurnNumber(Number(row[0])),
    // Not parsed here: a row that names a path outside of the folder is to be reported, not hidden.
    path: String(row[1]) as RelPath,
    pre: readState(row, PRE),
    intent: readOptionalState(row, INTENT),
    post: readOptionalState(row, POST),
    recovered: recovered === 1,
    undoneBy: undoneBy === null ? null : asTurnNumber(Number(undoneBy)),
    marks: readStrings(marks),
    temp: temp === null ? null : String(temp),
    atMs: timeOf(atMs),
  };
}
