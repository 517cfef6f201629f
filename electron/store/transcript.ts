/** The conversation as a tree of messages: going back in the chat moves the head, and the old branch stays. */

import { AppError } from '../../shared/errors.ts';
import { asMessageId, asTurnNumber, type MessageId, type TurnNumber } from '../../shared/ids.ts';
import type { ChatItem, ChatMessage } from '../../shared/transcript.ts';
import { chatItem } from './chat-item.ts';
import type { Db, SqlRow } from './db.ts';
import { read } from './json-columns.ts';
import { timeOf } from './plain-columns.ts';

const COLUMNS = 'id, parent_id, turn, at_ms, item';

export class Transcript {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  head(): MessageId | null {
    const head = this.#db.get('SELECT id FROM messages WHERE id = (SELECT chat_head FROM store)')?.[0];
    return typeof head === 'number' ? asMessageId(head) : null;
  }

  branch(head: MessageId | null): ChatMessage[] {
    if (head === null) return [];
    // A parent is always older; without this a row edited into a circle would never end.
    return this.#db
      .all(
        `WITH RECURSIVE branch (${COLUMNS}) AS (
           SELECT ${COLUMNS} FROM messages WHERE id = ?
           UNION ALL
           SELECT m.id, m.parent_id, m.turn, m.at_ms, m.item FROM branch JOIN messages m ON m.id = branch.parent_id AND m.id < branch.id
         ) SELECT ${COLUMNS} FROM branch ORDER BY id`,
        head,
      )
      .map(readMessage);
  }

  ends(): ChatMessage[] {
    return this.#db
      .all(
        `SELECT ${COLUMNS} FROM messages m WHERE NOT EXISTS (SELECT 1 FROM messages child WHERE child.parent_id = m.id) ORDER BY id DESC`,
      )
      .map(readMessage);
  }

  // What follows changes rows; each is called inside of a transaction.

  setHead(head: MessageId | null): void {
    this.#db.run('UPDATE store SET chat_head = ?', head);
  }

  append(turn: TurnNumber | null, item: ChatItem, atMs: number): ChatMessage {
    const parentId = this.head();
    const { id } = this.#db.run(
      'INSERT INTO messages (parent_id, turn, at_ms, item) VALUES (?, ?, ?, ?)',
      parentId,
      turn,
      atMs,
      JSON.stringify(item),
    );
    const message = { id: asMessageId(id), parentId, turn, atMs, item };
    this.setHead(message.id);
    return message;
  }

  update(id: MessageId, item: ChatItem): ChatMessage {
    this.#db.run('UPDATE messages SET item = ? WHERE id = ?', JSON.stringify(item), id);
    const row = this.#db.get(`SELECT ${COLUMNS} FROM messages WHERE id = ?`, id);
    if (row === undefined) throw new AppError('internal', `There is no message ${id} in this conversation.`);
    return { ...readMessage(row), item };
  }
}

function readMessage(row: SqlRow): ChatMessage {
  const [id, parentId, turn, atMs, item] = row;
  return {
    id: asMessageId(Number(id)),
    parentId: parentId === null ? null : asMessageId(Number(parentId)),
    turn: turn === null ? null : asTurnNumber(Number(turn)),
    atMs: timeOf(atMs),
    item: read(chatItem, item) ?? {
      type: 'notice',
      level: 'warning',
      text: 'This message can no longer be read.',
    },
  };
}
