/** Fails every call that the store makes, of the file system and of the database: an error in words, nothing half, and it goes on. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { type CheckpointStore, storePaths } from '../../electron/store/index.ts';
import { AppError } from '../../shared/errors.ts';
import { faultyFileSystem, PlantedFault } from '../helpers/faulty-file-system.ts';
import { FAST_PLACE } from '../helpers/folder.ts';
import { openStoreOn } from '../helpers/store.ts';
import {
  contentsOf,
  FIXED_CLOCK,
  OPENINGS,
  type Opening,
  plainly,
  prepareStore,
  readAllNamed,
  STORE_OPERATIONS,
  type StoreOperation,
} from '../helpers/store-operations.ts';

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE'];
/** An operation of more calls fails each of them in one of the ways, in turns. */
const FEW_CALLS = 40;
/** As SQLite reports them. */
const DATABASE_CODES: Record<string, string> = { ENOSPC: 'SQLITE_FULL', EIO: 'SQLITE_IOERR_WRITE' };
const EXPECTED = ['disk-full', 'io-failed', 'folder-read-only'];

let base: string;
let cases = 0;
let folders = 0;

beforeAll(async () => {
  base = mkdtempSync(join(FAST_PLACE, 'store-faults-'));
  const root = join(base, 'prepared');
  mkdirSync(root);
  await prepareStore(root);
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
  console.log(`${cases} failed calls of the store`);
});

function freshCopy(from = join(base, 'prepared')): string {
  folders += 1;
  const root = join(base, `${folders}`);
  cpSync(from, root, { recursive: true });
  return root;
}

/** Counts the calls of the file system and of the database as one row, once it is on. */
class Faults {
  readonly fault: PlantedFault;
  readonly #code: string;
  #isOn: boolean;

  constructor(at: number, code: string, isOn: boolean) {
    this.fault = new PlantedFault(at, code);
    this.#code = code;
    this.#isOn = isOn;
  }

  readonly fs = faultyFileSystem(nodeFileSystem, (call) => {
    if (this.#isOn) this.fault.onCall(call);
  });

  readonly onDatabaseCall = (call: string): void => {
    if (!this.#isOn) return;
    try {
      this.fault.onCall({ name: 'database', path: call });
    } catch (error) {
      const code = DATABASE_CODES[this.#code];
      throw code === undefined ? error : Object.assign(new Error('planted failure'), { code });
    }
  };

  on(): void {
    this.#isOn = true;
  }

  off(): void {
    this.#isOn = false;
  }
}

/** Where the same is done for many contents, every fifth call has failed for each part of it after a few of them. */
const strideOver = (calls: number): number => (calls > 200 ? 5 : 1);

const codesFor = (at: number, calls: number): readonly string[] =>
  calls <= FEW_CALLS ? CODES : [CODES[at % CODES.length]!];

const openPlainly = (root: string): Promise<CheckpointStore> => openStoreOn(root, { clock: FIXED_CLOCK });

const openWith = (root: string, { fs, onDatabaseCall }: Faults): Promise<CheckpointStore> =>
  openStoreOn(root, { fs, onDatabaseCall, clock: FIXED_CLOCK });

function checkError(error: unknown, shown: string): void {
  if (error === null) return;
  expect(error, `${shown}: ${String(error)}`).toBeInstanceOf(AppError);
  expect(EXPECTED, `${shown}: ${String(error)}`).toContain((error as AppError).code);
  expect((error as AppError).message, shown).toMatch(/^\S.* .*\.$/s);
}

async function attempt(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}

/** Whole, and without anything that is left over. */
async function checkWhole(store: CheckpointStore, root: string, shown: string): Promise<void> {
  expect(await store.verify(), shown).toMatchObject({ ok: true, missing: [], damaged: [] });
  await readAllNamed(store);
  expect(readdirSync(storePaths(root).temporary), shown).toEqual([]);
  const own = readdirSync(storePaths(root).checkpoints);
  expect(
    own.filter((name) => name.endsWith('.tmp')),
    shown,
  ).toEqual([]);
}

/** What an undisturbed run makes of it, and how many calls that takes. */
async function wholeRun(
  operation: StoreOperation,
): Promise<{ before: unknown; after: unknown; calls: number }> {
  const root = freshCopy();
  const faults = new Faults(Number.POSITIVE_INFINITY, '', false);
  const store = await openWith(root, faults);
  const before = contentsOf(store);
  faults.on();
  await operation.run(store);
  faults.off();
  const after = contentsOf(store);
  store.close();
  rmSync(root, { recursive: true });
  return { before, after, calls: faults.fault.calls.length };
}

describe('R24 I1 one call of an operation fails', () => {
  it.each(STORE_OPERATIONS)('R24 I1 $name', async (operation) => {
    const { before, after, calls } = await wholeRun(operation);
    for (let at = 0; at < calls; at += strideOver(calls)) {
      for (const code of codesFor(at, calls)) {
        cases += 1;
        const root = freshCopy();
        const faults = new Faults(at, code, false);
        let store = await openWith(root, faults);
        faults.on();
        const error = await attempt(() => operation.run(store));
        faults.off();
        const shown = `${operation.name}: ${code} at call ${at}, ${JSON.stringify(faults.fault.calls[at])}`;
        expect(faults.fault.struck, shown).toBe(true);
        checkError(error, shown);
        // Some go on in the same process, some after a restart.
        if (code === 'EIO' || code === 'EACCES') {
          store.close();
          store = await openPlainly(root);
          await checkWhole(store, root, shown);
        }
        const found = contentsOf(store);
        expect(error === null ? [after] : [before, after], shown).toContainEqual(found);
        if (error !== null && JSON.stringify(found) === JSON.stringify(before)) await operation.run(store);
        expect(contentsOf(store), `${shown}, once more`).toEqual(after);
        store.close();
        store = await openPlainly(root);
        expect(contentsOf(store), `${shown}, opened again`).toEqual(after);
        await checkWhole(store, root, shown);
        store.close();
        rmSync(root, { recursive: true });
      }
    }
  });
});

async function wholeOpening(opening: Opening): Promise<{ prepared: string; after: unknown; calls: number }> {
  const prepared = freshCopy();
  opening.prepare(prepared);
  const root = freshCopy(prepared);
  const faults = new Faults(Number.POSITIVE_INFINITY, '', true);
  await opening.run(root, faults.fs, faults.onDatabaseCall);
  const store = await openPlainly(root);
  const after = contentsOf(store);
  store.close();
  rmSync(root, { recursive: true });
  return { prepared, after, calls: faults.fault.calls.length };
}

describe('R24 I8 one call of an opening fails', () => {
  it.each(OPENINGS)('R24 I8 $name', async (opening) => {
    const { prepared, after, calls } = await wholeOpening(opening);
    for (let at = 0; at < calls; at += 1) {
      for (const code of codesFor(at, calls)) {
        cases += 1;
        const root = freshCopy(prepared);
        const faults = new Faults(at, code, true);
        const error = await attempt(() => opening.run(root, faults.fs, faults.onDatabaseCall));
        const shown = `${opening.name}: ${code} at call ${at}, ${JSON.stringify(faults.fault.calls[at])}`;
        checkError(error, shown);
        // Whatever was cut off is done by asking again; above all, the lock is free.
        if (error !== null) await plainly(opening.run, root);
        const store = await openPlainly(root);
        expect(contentsOf(store), shown).toEqual(after);
        await checkWhole(store, root, shown);
        store.close();
        rmSync(root, { recursive: true });
      }
    }
  });
});
