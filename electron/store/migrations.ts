/** The index's tables, as numbered steps from an empty database. A step that was released is never edited; a new one is added. */

/** Columns that hold one FileState; see state-columns.ts. */
const stateColumns = (prefix: string, kinds: readonly string[], nullable: boolean): string => `
  ${prefix}_kind TEXT ${nullable ? '' : 'NOT NULL'} CHECK (${prefix}_kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})),
  ${prefix}_sha256 TEXT CHECK ((${prefix}_kind = 'content') = (${prefix}_sha256 IS NOT NULL)),
  ${prefix}_bytes INTEGER,
  ${prefix}_mode INTEGER,
  ${prefix}_text TEXT`;

const ANY_STATE = ['absent', 'content', 'symlink', 'directory', 'skipped'];
const PRESENT_STATE = ANY_STATE.filter((kind) => kind !== 'absent');

export const MIGRATIONS: readonly string[] = [
  // 1: turns and rewinds with their captures, blobs, the baseline, the conversation.
  `
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES messages (id),
  turn INTEGER,
  at_ms INTEGER NOT NULL,
  item TEXT NOT NULL CHECK (json_valid(item))
) STRICT;
CREATE INDEX messages_by_parent ON messages (parent_id);

CREATE TABLE store (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  chat_head INTEGER REFERENCES messages (id),
  index_json_imported INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO store (one) VALUES (1);

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a number is never used again, also when the newest entries were pruned.
CREATE TABLE entries (
  turn INTEGER PRIMARY KEY AUTOINCREMENT CHECK (turn >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('agent', 'rewind')),
  label TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'kept' CHECK (status IN ('kept', 'rewound')),
  outcome TEXT NOT NULL CHECK (outcome IN ('running', 'done', 'failed', 'stopped', 'interrupted')),
  agent TEXT,
  target INTEGER,
  redo_of INTEGER,
  scope TEXT CHECK (scope IN ('files-and-chat', 'files-only', 'chat-only')),
  not_covered TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(not_covered)),
  notes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(notes)),
  chat_head_before INTEGER,
  chat_head_after INTEGER,
  report TEXT CHECK (json_valid(report))
) STRICT;
CREATE INDEX entries_running ON entries (turn) WHERE outcome = 'running';

-- A row says: this content is whole on disk. It comes with the first row that names the content.
CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  bytes INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT, WITHOUT ROWID;

-- id: the order in which changes were made. intent and post hold hashes of content that need not be kept.
CREATE TABLE captures (
  id INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL REFERENCES entries (turn) ON DELETE CASCADE,
  path TEXT NOT NULL,${stateColumns('pre', ANY_STATE, false)},${stateColumns('intent', ANY_STATE, true)},${stateColumns('post', ANY_STATE, true)},
  recovered INTEGER NOT NULL DEFAULT 0,
  undone_by INTEGER,
  marks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(marks)),
  temp TEXT,
  at_ms INTEGER NOT NULL,
  UNIQUE (turn, path)
) STRICT;
CREATE INDEX captures_by_path ON captures (path, turn);
CREATE INDEX captures_by_content ON captures (pre_sha256) WHERE pre_sha256 IS NOT NULL;
CREATE INDEX captures_pending ON captures (id) WHERE post_kind IS NULL AND intent_kind IS NOT NULL;

CREATE TABLE baseline (
  path TEXT PRIMARY KEY,${stateColumns('state', PRESENT_STATE, false)},
  size_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX baseline_by_content ON baseline (state_sha256) WHERE state_sha256 IS NOT NULL;
`,
];
