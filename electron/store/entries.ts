/** The numbered entries of the history: agent turns and rewinds. */

import type { EntryKind, EntryStatus, NotCovered, TurnOutcome } from '../../shared/history.ts';
import { asMessageId, asTurnNumber, type MessageId, type TurnNumber } from '../../shared/ids.ts';
import type { RestoreScope, RewindReport } from '../../shared/rewind.ts';
import type { Db, SqlRow } from './db.ts';
import { readNotCovered, readReport, readStrings } from './json-columns.ts';
import { oneOf, timeOf } from './plain-columns.ts';
import type { EntryRow } from './types.ts';

const COLUMNS =
  'turn, kind, label, at_ms, status, outcome, agent, target, redo_of, scope, not_covered, notes, chat_head_before, chat_head_after, report';

/** Later numbers could not be told apart in the end; no folder comes near. */
export const LARGEST_TURN = 1_000_000_000;

const ENTRY_KINDS = ['agent', 'rewind'] as const satisfies readonly EntryKind[];
const STATUSES = ['kept', 'rewound'] as const satisfies readonly EntryStatus[];
const OUTCOMES = [
  'running',
  'done',
  'failed',
  'stopped',
  'interrupted',
] as const satisfies readonly TurnOutcome[];
const SCOPES = ['files-and-chat', 'files-only', 'chat-only'] as const satisfies readonly RestoreScope[];

export interface NewEntry {
  readonly kind: EntryKind;
  readonly label: string;
  readonly atMs: number;
  readonly agent: string | null;
  readonly target: TurnNumber | null;
  readonly redoOf: TurnNumber | null;
  readonly scope: RestoreScope | null;
  readonly chatHeadBefore: MessageId | null;
  readonly chatHeadAfter: MessageId | null;
}

export class Entries {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  list(limit: number | undefined, before: TurnNumber | undefined): EntryRow[] {
    return this.#db
      .all(
        `SELECT ${COLUMNS} FROM entries WHERE turn < ? ORDER BY turn DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        limit ?? -1,
      )
      .map(readEntry);
  }

  one(turn: TurnNumber): EntryRow | null {
    return this.#read('WHERE turn = ?', turn);
  }

  running(): EntryRow[] {
    return this.#db
      .all(`SELECT ${COLUMNS} FROM entries WHERE outcome = 'running' ORDER BY turn`)
      .map(readEntry);
  }

  lastKeptTurn(): TurnNumber | null {
    return this.#read("WHERE kind = 'agent' AND status = 'kept' ORDER BY turn DESC LIMIT 1")?.turn ?? null;
  }

  /**
   * The newest rewind that is in force and has no turn of an agent after it. A redo is not itself redoable: what undoes a redo is
   * the same rewind again.
   */
  redoable(): EntryRow | null {
    return this.#read(
      `WHERE kind = 'rewind' AND redo_of IS NULL AND status = 'kept' AND outcome <> 'running'
       AND turn > (SELECT coalesce(max(turn), 0) FROM entries WHERE kind = 'agent') ORDER BY turn DESC LIMIT 1`,
    );
  }

  // What follows changes rows; each is called inside of a transaction.

  insert(entry: NewEntry): TurnNumber {
    const { id } = this.#db.run(
      `INSERT INTO entries (kind, label, at_ms, outcome, agent, target, redo_of, scope, chat_head_before, chat_head_after)
       VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?)`,
      entry.kind,
      entry.label,
      entry.atMs,
      entry.agent,
      entry.target,
      entry.redoOf,
      entry.scope,
      entry.chatHeadBefore,
      entry.chatHeadAfter,
    );
    return asTurnNumber(id);
  }

  setOutcome(turn: TurnNumber, outcome: TurnOutcome): void {
    this.#db.run('UPDATE entries SET outcome = ? WHERE turn = ?', outcome, turn);
  }

  setStatus(turn: TurnNumber, status: EntryStatus): void {
    this.#db.run('UPDATE entries SET status = ? WHERE turn = ?', status, turn);
  }

  setReport(turn: TurnNumber, report: RewindReport): void {
    this.#db.run('UPDATE entries SET report = ? WHERE turn = ?', JSON.stringify(report), turn);
  }

  setNotCovered(turn: TurnNumber, items: readonly NotCovered[]): void {
    this.#db.run('UPDATE entries SET not_covered = ? WHERE turn = ?', JSON.stringify(items), turn);
  }

  setNotes(turn: TurnNumber, notes: readonly string[]): void {
    this.#db.run('UPDATE entries SET notes = ? WHERE turn = ?', JSON.stringify(notes), turn);
  }

  #read(where: string, ...values: number[]): EntryRow | null {
    const row = this.#db.get(`SELECT ${COLUMNS} FROM entries ${where}`, ...values);
    return row === undefined ? null : readEntry(row);
  }
}

function readEntry(row: SqlRow): EntryRow {
  return {
    turn: asTurnNumber(Number(row[0])),
    kind: oneOf(ENTRY_KINDS, row[1]) ?? 'agent',
    label: String(row[2]),
    atMs: timeOf(row[3]),
    status: oneOf(STATUSES, row[4]) ?? 'kept',
    outcome: oneOf(OUTCOMES, row[5]) ?? 'interrupted',
    agent: row[6] === null ? null : String(row[6]),
    target: optionalTurn(row[7]),
    redoOf: optionalTurn(row[8]),
    scope: oneOf(SCOPES, row[9]),
    notCovered: readNotCovered(row[10]),
    notes: readStrings(row[11]),
    chatHeadBefore: optionalMessage(row[12]),
    chatHeadAfter: optionalMessage(row[13]),
    report: readReport(row[14]),
  };
}

const optionalTurn = (value: unknown): TurnNumber | null =>
  value === null ? null : asTurnNumber(Number(value));
const optionalMessage = (value: unknown): MessageId | null =>
  value === null ? null : asMessageId(Number(value));
