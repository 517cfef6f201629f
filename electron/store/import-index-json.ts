/** Takes over the history of the osFoundry desktop app: a list of turns in `index.json` over the same blobs. The file is left in place. */

import { constants } from 'node:fs';
import { z } from 'zod';
import type { FileState } from '../../shared/file-state.ts';
import { labelOf } from '../../shared/history.ts';
import { asSha256, asTurnNumber, isSha256, type RelPath, type Sha256 } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import type { BlobFiles } from './blob-files.ts';
import type { BlobRows } from './blob-rows.ts';
import type { Blobs } from './blobs.ts';
import type { Captures } from './captures.ts';
import type { Db } from './db.ts';
import { LARGEST_TURN } from './entries.ts';
import { LARGEST_TIME } from './plain-columns.ts';
import { OWN_FILE_FLAGS, type StorePaths } from './store-folder.ts';

/** The old app kept no permission bits; a file comes back as an ordinary one. */
const IMPORTED_MODE = 0o644;

/** A larger file is no list of turns of a person. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** More are counted. */
const PROBLEMS_TOLD = 20;

const bytes = z.int().min(0);
const importedPre = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('skipped'),
    reason: z.string().catch('it was not captured'),
    bytes: bytes.optional().catch(undefined),
  }),
  z.object({ kind: z.literal('content'), sha256: z.string().refine(isSha256), bytes }),
]);
const importedFile = z.object({ path: z.string(), pre: importedPre });
const importedTurn = z.object({
  turn: z.int().min(1).max(LARGEST_TURN),
  label: z.string(),
  at: z.number().min(-LARGEST_TIME).max(LARGEST_TIME),
  files: z.array(z.unknown()),
});
type ImportedTurn = z.infer<typeof importedTurn>;

export interface ImportParts {
  readonly paths: StorePaths;
  readonly fs: FileSystem;
  readonly db: Db;
  readonly files: BlobFiles;
  readonly blobs: Blobs;
  readonly blobRows: BlobRows;
  readonly captures: Captures;
}

/**
 * When a store is opened for the first time, and never later: a list that appears in a history of ours was planted or is stale.
 * Returns what came over and what did not, in words for people.
 */
export async function importIndexJson(parts: ImportParts): Promise<string[]> {
  const { db } = parts;
  if (db.get('SELECT index_json_imported FROM store')?.[0] === 1) return [];
  const text = await readIfThere(parts);
  const problems: string[] = [];
  const turns = text === null ? [] : readTurns(text, problems);
  const contents = await wholeContents(parts, turns);
  let count = 0;
  db.transaction('taking over an earlier history', () => {
    for (const turn of turns) {
      if (db.get('SELECT 1 FROM entries WHERE turn = ?', turn.turn) === undefined) {
        insertTurn(parts, turn, contents, problems);
        count += 1;
      } else problems.push(`Turn ${turn.turn} of an earlier app was not taken over: that number is in use.`);
    }
    db.run('UPDATE store SET index_json_imported = 1');
  });
  if (text === null) return [];
  const more = problems.length - PROBLEMS_TOLD;
  return [
    `${count} ${count === 1 ? 'turn' : 'turns'} of an earlier osFoundry app were taken over.`,
    ...problems.slice(0, PROBLEMS_TOLD),
    ...(more > 0 ? [`${more} more parts of it were not taken over.`] : []),
  ];
}

function readTurns(text: string, problems: string[]): ImportedTurn[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) {
    problems.push('index.json of an earlier app could not be read; it was left in place.');
    return [];
  }
  const turns = new Map<number, ImportedTurn>();
  for (const item of list) {
    const { data } = importedTurn.safeParse(item);
    if (data === undefined)
      problems.push('A turn of an earlier app could not be read and was not taken over.');
    else if (turns.has(data.turn)) {
      problems.push(`A second turn ${data.turn} of an earlier app was not taken over.`);
    } else turns.set(data.turn, data);
  }
  return [...turns.values()].sort((a, b) => a.turn - b.turn);
}

/** I1 holds for what is taken over, too: only contents that are whole may be named. */
async function wholeContents(
  { files: onDisk, blobs }: ImportParts,
  turns: readonly ImportedTurn[],
): Promise<Map<Sha256, number>> {
  const whole = new Map<Sha256, number>();
  for (const file of turns.flatMap(({ files }) => files)) {
    const { data } = importedFile.safeParse(file);
    if (data?.pre.kind !== 'content' || whole.has(asSha256(data.pre.sha256))) continue;
    const sha256 = asSha256(data.pre.sha256);
    if ((await blobs.check(sha256)) === 'ok') whole.set(sha256, await onDisk.sizeOf(sha256));
  }
  return whole;
}

function insertTurn(
  { db, blobRows, captures }: ImportParts,
  turn: ImportedTurn,
  whole: ReadonlyMap<Sha256, number>,
  problems: string[],
): void {
  const atMs = Math.round(turn.at);
  db.run(
    "INSERT INTO entries (turn, kind, label, at_ms, outcome) VALUES (?, 'agent', ?, ?, 'done')",
    turn.turn,
    labelOf(turn.label),
    atMs,
  );
  for (const file of turn.files) {
    const { data } = importedFile.safeParse(file);
    if (data === undefined) {
      problems.push(
        `A file of turn ${turn.turn} of an earlier app could not be read and was not taken over.`,
      );
      continue;
    }
    const pre = preImageOf(data.pre, whole);
    const bytes = pre.kind === 'content' ? whole.get(pre.sha256) : undefined;
    const path = relPathOf(data.path);
    if (path === null) {
      problems.push(
        `${JSON.stringify(data.path)} of turn ${turn.turn} of an earlier app lies outside of the folder and was not taken over.`,
      );
      continue;
    }
    if (captures.has(asTurnNumber(turn.turn), path)) continue;
    if (pre.kind === 'content' && bytes !== undefined) blobRows.add(pre.sha256, bytes);
    captures.insert({
      turn: asTurnNumber(turn.turn),
      path,
      pre,
      intent: null,
      post: null,
      marks: [],
      temp: null,
      atMs,
    });
  }
}

function relPathOf(text: string): RelPath | null {
  try {
    return parseRelPath(text);
  } catch {
    return null;
  }
}

function preImageOf(pre: z.infer<typeof importedPre>, whole: ReadonlyMap<Sha256, number>): FileState {
  switch (pre.kind) {
    case 'absent':
      return { kind: 'absent' };
    case 'skipped':
      return {
        kind: 'skipped',
        reason: pre.reason,
        ...(pre.bytes === undefined ? {} : { bytes: pre.bytes }),
      };
    case 'content': {
      const sha256 = asSha256(pre.sha256);
      const bytes = whole.get(sha256);
      return bytes !== undefined
        ? { kind: 'content', sha256, bytes, mode: IMPORTED_MODE }
        : {
            kind: 'skipped',
            reason: 'its content was missing or damaged when the earlier history was taken over',
            bytes: pre.bytes,
          };
    }
  }
}

/** null: not there, or no file of its own. */
async function readIfThere({ fs, paths }: ImportParts): Promise<string | null> {
  try {
    const handle = await fs.open(paths.importable, constants.O_RDONLY | OWN_FILE_FLAGS);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return null;
      return stats.size > LARGEST_BYTES ? '' : await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ELOOP')) return null;
    throw toIoError(error, 'reading an earlier history');
  }
}
