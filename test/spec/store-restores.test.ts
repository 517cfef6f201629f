/** What going back does with what the store recorded (electron/store/SPEC.md), in real folders through the real funnel. */

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { applyRewind, planRewind } from '../../electron/rewind/index.ts';
import type { OpenEntry } from '../../electron/store/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import type { RelPath, TurnNumber } from '../../shared/ids.ts';
import { faultyFileSystem } from '../helpers/faulty-file-system.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { beginTurn, openStoreOn, unheld } from '../helpers/store.ts';

let root: string;
let folder: OpenFolder;

beforeEach(async () => {
  root = await temporaryFolder();
  folder = await openFolder(root);
  onTestFinished(() => folder.store.close());
});

const at = (name: string): string => join(root, name);
const text = (content: string): Buffer => Buffer.from(content);

async function turn(work: (entry: OpenEntry) => Promise<unknown>): Promise<TurnNumber> {
  const entry = beginTurn(folder.store);
  await work(entry);
  folder.store.finishTurn(entry.turn, 'done');
  return entry.turn;
}

const goBack = (to: TurnNumber) =>
  applyRewind({ ...folder, plan: { turn: to }, decisions: { conflicts: 'overwrite' }, scope: 'files-only' });

describe('going back', () => {
  it('R4 R11 what was absent is deleted, what was there is restored, and the report names each', async () => {
    writeFileSync(at('a.txt'), 'before');
    const before = await treeOf(root);
    const first = await turn(async (entry) => {
      await folder.funnel.writeFile(entry, 'a.txt', text('after'));
      await folder.funnel.writeFile(entry, 'new.txt', text('new'));
      await folder.funnel.writeFile(entry, 'made/deep.txt', text('new'));
    });
    const report = await goBack(first);
    expect(report).toMatchObject({ restored: ['a.txt'], failed: [], notDone: [] });
    expect([...report.deleted].sort()).toEqual(['made', 'made/deep.txt', 'new.txt']);
    expect(await treeOf(root)).toEqual(before);
  });

  it('R5 R11 a file of 12 MB is skipped; going back reports it as failed, with the reason, and leaves it', async () => {
    writeFileSync(at('big.bin'), Buffer.alloc(12 * 1024 * 1024, 'x'));
    writeFileSync(at('small.txt'), 'before');
    const first = await turn(async (entry) => {
      await folder.funnel.writeFile(entry, 'big.bin', text('now small'));
      await folder.funnel.writeFile(entry, 'small.txt', text('after'));
    });
    expect(folder.store.capture(first, 'big.bin' as RelPath)?.pre).toMatchObject({
      kind: 'skipped',
      reason: '12 MB, over the 8 MB limit',
    });
    const report = await goBack(first);
    expect(report.failed).toEqual([{ path: 'big.bin', reason: '12 MB, over the 8 MB limit' }]);
    expect(report.restored).toEqual(['small.txt']);
    expect(readFileSync(at('big.bin'), 'utf8')).toBe('now small');
  });

  it('R5 exactly 8 MB is held, one byte more is not', async () => {
    const limit = 8 * 1024 * 1024;
    writeFileSync(at('fits'), Buffer.alloc(limit));
    writeFileSync(at('over'), Buffer.alloc(limit + 1));
    const first = await turn(async (entry) => {
      await folder.funnel.writeFile(entry, 'fits', text(''));
      await folder.funnel.writeFile(entry, 'over', text(''));
    });
    expect(folder.store.captures(first).map(({ pre }) => pre)).toMatchObject([
      { kind: 'content', bytes: limit },
      { kind: 'skipped', reason: '8.1 MB, over the 8 MB limit' },
    ]);
  });

  it('R6 before turn N undoes N and everything later; the oldest pre-image is the right one', async () => {
    writeFileSync(at('a.txt'), 'zero');
    await turn((entry) => folder.funnel.writeFile(entry, 'a.txt', text('one')));
    const second = await turn((entry) => folder.funnel.writeFile(entry, 'a.txt', text('two')));
    const third = await turn((entry) => folder.funnel.writeFile(entry, 'a.txt', text('three')));
    const plan = await planRewind({ ...folder, turn: second });
    expect(plan.undoes).toEqual([third, second]);
    await goBack(second);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one');
  });

  it('R7 a rewound turn is not rewound a second time, and the message says that it already is', async () => {
    const first = await turn((entry) => folder.funnel.writeFile(entry, 'a.txt', text('x')));
    await goBack(first);
    await expect(goBack(first)).rejects.toMatchObject({
      code: 'already-rewound',
      message: expect.stringMatching(/already/),
    });
  });

  it('R12 modes come back: an executable, and 0600', async () => {
    writeFileSync(at('run.sh'), '#!/bin/sh\n');
    chmodSync(at('run.sh'), 0o755);
    writeFileSync(at('.env'), 'SECRET=1');
    chmodSync(at('.env'), 0o600);
    const first = await turn(async (entry) => {
      await folder.funnel.writeFile(entry, 'run.sh', text('echo'), { mode: 0o644 });
      await folder.funnel.deletePath(entry, '.env');
    });
    await goBack(first);
    expect(lstatSync(at('run.sh')).mode & 0o7777).toBe(0o755);
    expect(lstatSync(at('.env')).mode & 0o7777).toBe(0o600);
    expect(readFileSync(at('.env'), 'utf8')).toBe('SECRET=1');
  });
});

describe('containment', () => {
  it.each([
    '../outside.txt',
    '/etc/hostname',
    '.git/config',
    '.osfoundry/checkpoints/lock',
    'link/x',
    'a/../../b',
  ])('R8 R11 a row for %s is reported as outside the workspace, and nothing is written', async (name) => {
    const outside = await temporaryFolder();
    symlinkSync(outside, at('link'));
    mkdirSync(at('.git'));
    writeFileSync(at('ok.txt'), 'before');
    const first = await turn(async (entry) => {
      await folder.funnel.writeFile(entry, 'ok.txt', text('after'));
      entry.observed([{ path: name as RelPath, pre: ABSENT, post: unheld('x') }]);
    });
    const report = await goBack(first);
    expect(report.failed).toEqual([{ path: name, reason: expect.stringMatching(/outside the workspace/) }]);
    expect(report.restored).toEqual(['ok.txt']);
    expect(await treeOf(outside)).toEqual({});
    expect(existsSync('/etc/hostname')).toBe(true);
  });

  it.each(['../outside.txt', '/etc/x', '.git/config', 'link/x'])(
    'R8 a capture of %s is refused',
    async (name) => {
      symlinkSync(await temporaryFolder(), at('link'));
      const entry = beginTurn(folder.store);
      await expect(folder.funnel.writeFile(entry, name, text('x'))).rejects.toMatchObject({
        code: expect.stringMatching(/^path-/),
      });
      expect(entry.captures()).toEqual([]);
    },
  );
});

describe('the order of things', () => {
  it('R1 I2 at the moment a file is replaced, its before-state is in the history on disk', async () => {
    writeFileSync(at('a.txt'), 'before');
    const copy = await temporaryFolder();
    let replaced = 0;
    folder.store.close();
    const fs = faultyFileSystem(nodeFileSystem, ({ name, to }) => {
      if (name !== 'rename' || to !== at('a.txt')) return;
      replaced += 1;
      cpSync(root, copy, { recursive: true });
    });
    folder = await openFolder(root, { fs });
    await turn((entry) => folder.funnel.writeFile(entry, 'a.txt', text('after')));
    expect(replaced).toBe(1);
    const then = await openStoreOn(copy);
    const [capture] = then.pendingCaptures();
    if (capture?.pre.kind !== 'content') throw new Error('not captured');
    expect(Buffer.from(await then.readBlob(capture.pre.sha256)).toString()).toBe('before');
    then.close();
  });

  it('I6 the store changes nothing in the folder but its own', async () => {
    writeFileSync(at('a.txt'), 'mine');
    const before = await treeOf(root);
    const first = await turn(async (entry) => {
      const sha256 = await entry.putBlob(text('x'));
      entry.observed([
        { path: 'a.txt' as RelPath, pre: { kind: 'content', sha256, bytes: 1, mode: 0o644 }, post: ABSENT },
      ]);
    });
    await folder.store.verify();
    await folder.store.prune({ keepTurns: 0 });
    folder.store.close();
    folder = await openFolder(root);
    expect(first).toBe(1);
    expect(await treeOf(root)).toEqual(before);
  });
});
