/** Histories that somebody else made: planted folders, links, tampered rows, damaged files. Clear errors, nothing outside is touched. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { storePaths } from '../../electron/store/index.ts';
import { AppError } from '../../shared/errors.ts';
import { exerciseStore } from '../helpers/exercise-store.ts';
import { fastFolder, treeOf } from '../helpers/folder.ts';
import { openFolder } from '../helpers/open-folder.ts';
import { baselineRow, beginTurn, finishedTurn, held, openStoreOn, unheld } from '../helpers/store.ts';

let root: string;
let outside: string;
let paths: ReturnType<typeof storePaths>;

beforeEach(async () => {
  root = await fastFolder();
  outside = await fastFolder();
  paths = storePaths(root);
});

let cases = 0;
afterAll(() => console.log(`${cases} hostile histories opened`));

/** Whatever is opened: an AppError with a sentence, or a history that can be used. */
async function openAndUse(access: 'read' | 'write'): Promise<'refused' | 'used'> {
  cases += 1;
  try {
    const store = await openStoreOn(root, { access, durability: 'process' });
    try {
      await exerciseStore(store);
    } finally {
      store.close();
    }
    return 'used';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).message).toMatch(/^\S.* .*\.$/s);
    return 'refused';
  }
}

async function filled(): Promise<void> {
  const store = await openStoreOn(root, { durability: 'process' });
  await finishedTurn(store, { 'a.txt': 'one', 'b.txt': 'two' });
  const rewind = store.beginRewind({
    label: 'back',
    target: beginTurn(store).turn,
    redoOf: null,
    scope: 'files-only',
    chatHeadBefore: null,
    chatHeadAfter: null,
  });
  await rewind.intend('a.txt' as never, await held(store, 'three'), unheld('x'), '.temp');
  store.updateBaseline({ upsert: [baselineRow('b.txt', await held(store, 'two'))], remove: [] });
  store.appendMessage(null, { type: 'user', text: 'hello' });
  store.close();
}

const NAMES = ['home', 'checkpoints', 'blobs', 'temporary'] as const;
const FILES = ['index', 'lock', 'lockHolder', 'format', 'ignore'] as const;

describe('planted in the place of what is ours', () => {
  const PLANTS: Record<string, (path: string) => void> = {
    'a link to a folder': (path) => symlinkSync(outside, path),
    'a link to a file': (path) => {
      writeFileSync(join(outside, 'target'), 'precious');
      symlinkSync(join(outside, 'target'), path);
    },
    'a link to nowhere': (path) => symlinkSync(join(outside, 'new'), path),
    'a file': (path) => writeFileSync(path, 'a file'),
    'a folder': (path) => mkdirSync(path),
    'a FIFO': (path) => execFileSync('mkfifo', [path]),
  };
  const places = [
    ...NAMES.map((name) => ({ name, ending: '', fits: 'a folder' })),
    ...FILES.map((name) => ({ name, ending: '', fits: 'a file' })),
    ...['-wal', '-shm', '-journal'].map((ending) => ({ name: 'index' as const, ending, fits: 'a file' })),
  ];
  const table = places.flatMap((place) =>
    Object.keys(PLANTS)
      .filter((what) => what !== place.fits)
      .map((what) => ({ ...place, what })),
  );

  it.each(table)('R19 $what in the place of $name$ending is refused', async ({ name, ending, what }) => {
    await filled();
    const place = `${paths[name]}${ending}`;
    rmSync(place, { recursive: true, force: true });
    PLANTS[what]!(place);
    const before = await treeOf(outside);
    await expect(openStoreOn(root, { durability: 'process' })).rejects.toMatchObject({
      code: 'store-untrusted',
      message: expect.stringContaining(place),
    });
    await openAndUse('read');
    expect(await treeOf(outside)).toEqual(before);
    // As it was planted: nothing of it is removed.
    expect(existsSync(place) || what === 'a link to nowhere').toBe(true);
  });

  it('R19 an unreadable index and lock are no files of ours: garbage in them is cleared away, not trusted', async () => {
    await filled();
    writeFileSync(paths.lock, '4242\n');
    writeFileSync(paths.lockHolder, 'x'.repeat(100_000));
    writeFileSync(paths.importable, '\0');
    expect(await openAndUse('write')).toBe('used');
    expect(statSync(paths.lock).size).toBe(0);
  });
});

describe('planted in the place of a blob', () => {
  it.each(['link', 'FIFO', 'folder', 'other content'])(
    'R19 I3 a %s counts as missing or damaged',
    async (what) => {
      await filled();
      const store = await openStoreOn(root, { durability: 'process' });
      const { sha256 } = await held(store, 'one');
      const blob = join(paths.blobs, sha256);
      writeFileSync(join(outside, 'same'), 'one');
      rmSync(blob);
      if (what === 'link') symlinkSync(join(outside, 'same'), blob);
      else if (what === 'FIFO') execFileSync('mkfifo', [blob]);
      else if (what === 'folder') mkdirSync(blob);
      else writeFileSync(blob, 'two');
      await expect(store.readBlob(sha256)).rejects.toMatchObject({ code: expect.stringMatching(/^blob-/) });
      const report = await store.verify();
      expect([...report.missing, ...report.damaged]).toEqual([sha256]);
      store.close();
      expect(readFileSync(join(outside, 'same'), 'utf8')).toBe('one');
    },
  );
});

describe('tampered rows', () => {
  const HUGE = '9223372036854775807';
  const STATEMENTS = [
    ...['../x', '/etc/passwd', '.git/config', '', 'x'.repeat(100_000)].flatMap((path) => [
      `UPDATE captures SET path = '${path}' WHERE id = 1`,
      `UPDATE baseline SET path = '${path}'`,
      `UPDATE captures SET temp = '${path}' WHERE post_kind IS NULL`,
    ]),
    `UPDATE captures SET path = CAST(x'ff2fe1' AS TEXT) WHERE id = 1`,
    ...['pre', 'intent', 'post'].flatMap((state) => [
      `UPDATE captures SET ${state}_kind = 'evil'`,
      `UPDATE captures SET ${state}_kind = 'symlink', ${state}_text = NULL`,
      `UPDATE captures SET ${state}_sha256 = '../../../etc/passwd'`,
      `UPDATE captures SET ${state}_sha256 = '${'F'.repeat(64)}'`,
      `UPDATE captures SET ${state}_bytes = -1`,
      `UPDATE captures SET ${state}_bytes = ${HUGE}, ${state}_mode = ${HUGE}`,
      `UPDATE captures SET ${state}_mode = -1`,
    ]),
    ...['kind', 'status', 'outcome', 'scope'].map((column) => `UPDATE entries SET ${column} = 'evil'`),
    ...['target', 'redo_of', 'at_ms', 'chat_head_before', 'chat_head_after'].flatMap((column) => [
      `UPDATE entries SET ${column} = ${HUGE}`,
      `UPDATE entries SET ${column} = -1`,
    ]),
    ...['not_covered', 'notes', 'report'].flatMap((column) =>
      ['not JSON', '{}', '[1]', '{"rewind": "x"}', `[${'['.repeat(5000)}`].map(
        (json) => `UPDATE entries SET ${column} = '${json}'`,
      ),
    ),
    `UPDATE captures SET marks = '{"a": 1}', undone_by = ${HUGE}, at_ms = ${HUGE}, recovered = 7`,
    `UPDATE entries SET turn = ${HUGE} WHERE turn = 1`,
    'UPDATE entries SET turn = 0 WHERE turn = 1',
    `UPDATE sqlite_sequence SET seq = ${HUGE}`,
    'DELETE FROM sqlite_sequence',
    `UPDATE baseline SET size_bytes = -1, mtime_ns = ${HUGE}, ctime_ns = -${HUGE}, inode = -1`,
    `UPDATE baseline SET state_kind = 'absent', state_sha256 = NULL`,
    `UPDATE blobs SET sha256 = '${'../'.repeat(21)}x' WHERE bytes = 5`,
    `UPDATE blobs SET bytes = ${HUGE}`,
    'DELETE FROM blobs',
    'DELETE FROM store',
    'UPDATE store SET chat_head = 999',
    `UPDATE messages SET parent_id = id`,
    `UPDATE messages SET item = '{"type": "user"}'`,
    `UPDATE messages SET item = 'not JSON', turn = -5, at_ms = ${HUGE}`,
    'DELETE FROM meta',
    "UPDATE meta SET value = '' WHERE key = 'store-id'",
    'DROP TABLE baseline',
    'CREATE VIEW evil AS SELECT 1',
    'CREATE TRIGGER evil AFTER INSERT ON captures BEGIN DELETE FROM captures; END',
    'ALTER TABLE entries ADD COLUMN evil TEXT',
    'PRAGMA user_version = -1',
    'PRAGMA user_version = 2147483647',
  ];

  it.each(STATEMENTS.map((sql) => ({ shown: sql.slice(0, 90), sql })))('R19 $shown', async ({ sql }) => {
    await filled();
    const index = new Database(paths.index);
    index.pragma('ignore_check_constraints = ON');
    index.pragma('foreign_keys = OFF');
    index.unsafeMode();
    index.exec(sql);
    index.close();
    await openAndUse('read');
    const wrote = await openAndUse('write');
    if (!sql.includes('2147483647')) expect(wrote).toBe('used');
  });

  it.each(['../victim', '/etc/hostname', '.git/config', 'link/victim'])(
    'R8 R19 recovery leaves %s alone when a row names it as under way',
    async (name) => {
      writeFileSync(join(outside, 'victim'), 'precious');
      symlinkSync(outside, join(root, 'link'));
      mkdirSync(join(root, '.git'));
      writeFileSync(join(root, '.git/config'), 'precious');
      await filled();
      const index = new Database(paths.index);
      index.prepare('UPDATE captures SET path = ?, temp = ? WHERE post_kind IS NULL').run(name, name);
      index.close();
      const before = [await treeOf(outside), readFileSync(join(root, '.git/config'), 'utf8')];
      const { store } = await openFolder(root);
      expect(store.pendingCaptures()).toEqual([]);
      store.close();
      expect([await treeOf(outside), readFileSync(join(root, '.git/config'), 'utf8')]).toEqual(before);
      expect(existsSync('/etc/hostname')).toBe(true);
    },
  );

  it('R19 a store without its id gets one; one that was copied in keeps its own', async () => {
    await filled();
    const idOf = async (): Promise<string> => {
      const store = await openStoreOn(root, { durability: 'process' });
      store.close();
      return store.storeId;
    };
    const first = await idOf();
    expect(await idOf()).toBe(first);
    const index = new Database(paths.index);
    index.exec("DELETE FROM meta WHERE key = 'store-id'");
    index.close();
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf()).not.toBe(first);
  });
});

describe('damaged files', () => {
  it('R20 bytes of the index that were overwritten anywhere: it opens, set aside or not, and says what is wrong', async () => {
    await filled();
    const whole = readFileSync(paths.index);
    const places = Array.from({ length: 40 }, (_, place) => Math.floor((whole.length * place) / 40));
    for (const place of places) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xa5, place, place + 64);
      for (const ending of ['', '-wal', '-shm']) rmSync(`${paths.index}${ending}`, { force: true });
      writeFileSync(paths.index, damaged);
      await openAndUse('read');
      await expect(openAndUse('write')).resolves.toBeDefined();
    }
  });
});
