/** Takes over the history of the osFoundry desktop app: a list of turns in `index.json` over the same blobs. The file is left in place. */

import { constants } from 'node:fs';
import { z } from 'zod';
import type { FileState } from '../../shared/file-state.ts';
import { labelOf } from '../../shared/history.ts';
import { asSha256, asTurnNumber, isSha256, type Sha256 } from '../../shared/ids.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { FileSystem } from '../base/file-system.ts';
import { isSystemError, toIoError } from '../base/io-errors.ts';
import type { BlobRows } from './blob-rows.ts';
import type { Blobs } from './blobs.ts';
import type { Captures } from './captures.ts';
import type { Db } from './db.ts';

/** The old app kept no permission bits; a file comes back as an ordinary one. */
const IMPORTED_MODE = 0o644;

const importedPre = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('skipped'),
    reason: z.string().default('it was not captured'),
    bytes: z.number().optional(),
  }),
  z.object({ kind: z.literal('content'), sha256: z.string().refine(isSha256), bytes: z.int().min(0) }),
]);
const importedFile = z.object({ path: z.string(), pre: importedPre });
const importedTurn = z.object({
  turn: z.int().min(1),
  label: z.string(),
  at: z.number(),
  files: z.array(z.unknown()),
});
type ImportedTurn = z.infer<typeof importedTurn>;

export interface ImportParts {
  readonly path: string;
  readonly fs: FileSystem;
  readonly db: Db;
  readonly blobs: Blobs;
  readonly blobRows: BlobRows;
  readonly captures: Captures;
}

/** Once a store. Returns what came over and what did not, in words for people. */
export async function importIndexJson(parts: ImportParts): Promise<string[]> {
  const { db } = parts;
  if (db.get('SELECT index_json_imported FROM store')?.[0] === 1) return [];
  const text = await readIfThere(parts);
  if (text === null) return [];
  const words: string[] = [];
  const turns = readTurns(text, words);
  const contents = await wholeContents(parts, turns);
  let count = 0;
  db.transaction('taking over an earlier history', () => {
    for (const turn of turns) {
      if (db.get('SELECT 1 FROM entries WHERE turn = ?', turn.turn) !== undefined) {
        words.push(`Turn ${turn.turn} of an earlier app was not taken over: that number is in use.`);
        continue;
      }
      insertTurn(parts, turn, contents, words);
      count += 1;
    }
    db.run('UPDATE store SET index_json_imported = 1');
  });
  return [
    `${count} ${count === 1 ? 'turn' : 'turns'} of an earlier osFoundry app were taken over.`,
    ...words,
  ];
}

function readTurns(text: string, words: string[]): ImportedTurn[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) {
    words.push('index.json of an earlier app could not be read; it was left in place.');
    return [];
  }
  const turns = list.map((item) => importedTurn.safeParse(item));
  const unreadable = turns.filter(({ success }) => !success).length;
  if (unreadable > 0)
    words.push(`${unreadable} turns of an earlier app could not be read and were not taken over.`);
  return turns.flatMap(({ data }) => (data === undefined ? [] : [data])).sort((a, b) => a.turn - b.turn);
}

/** I1 holds for what is taken over, too: only contents that are whole may be named. */
async function wholeContents(
  { blobs }: ImportParts,
  turns: readonly ImportedTurn[],
): Promise<Map<Sha256, number>> {
  const whole = new Map<Sha256, number>();
  for (const file of turns.flatMap(({ files }) => files)) {
    const { data } = importedFile.safeParse(file);
    if (data?.pre.kind !== 'content' || whole.has(asSha256(data.pre.sha256))) continue;
    const sha256 = asSha256(data.pre.sha256);
    if ((await blobs.check(sha256)) === 'ok') whole.set(sha256, await blobs.sizeOf(sha256));
  }
  return whole;
}

function insertTurn(
  { db, blobRows, captures }: ImportParts,
  turn: ImportedTurn,
  whole: ReadonlyMap<Sha256, number>,
  words: string[],
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
      words.push(`A file of turn ${turn.turn} of an earlier app could not be read and was not taken over.`);
      continue;
    }
    const pre = preImageOf(data.pre, whole);
    const bytes = pre.kind === 'content' ? whole.get(pre.sha256) : undefined;
    try {
      const path = parseRelPath(data.path);
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
    } catch {
      words.push(
        `${JSON.stringify(data.path)} of turn ${turn.turn} of an earlier app lies outside of the folder and was not taken over.`,
      );
    }
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
      return whole.has(sha256)
        ? { kind: 'content', sha256, bytes: pre.bytes, mode: IMPORTED_MODE }
        : {
            kind: 'skipped',
            reason: 'its content was missing or damaged when the earlier history was taken over',
            bytes: pre.bytes,
          };
    }
  }
}

async function readIfThere({ fs, path }: ImportParts): Promise<string | null> {
  try {
    const handle = await fs.open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile('utf8').finally(() => handle.close());
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ELOOP')) return null;
    throw toIoError(error, 'reading an earlier history');
  }
}
