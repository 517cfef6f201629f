/**
 * One random history: turns of an agent through the funnel, a person's edits between them, rewinds of all kinds, redo, prune
 * and reopening, each step held against the model. Ends with every plan compared and the store verified.
 */

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyRewind, planRedo, planRewind, redo } from '../../electron/rewind/index.ts';
import type { OpenEntry } from '../../electron/store/types.ts';
import { AppError } from '../../shared/errors.ts';
import { sameState } from '../../shared/file-state.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { Model, type ModelTurn, predict, type Wanted } from './model.ts';
import { Random } from './random.ts';
import { at, identities, readTree, shown, type Tree } from './tree.ts';

/** Few names, so that paths meet: files where folders were, moves onto each other, one path in many turns. */
const PATHS = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'f', 'f/g', 'ü é.txt'];
const MODES = [0o644, 0o600, 0o755, 0o444];

/** Folders in memory, where the machine has that: what is tested here is not the disk. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export interface HistoryCounts {
  rewinds: number;
  redos: number;
  conflicts: number;
  blocked: number;
}

/** Throws with the seed and the steps so far when anything is not as the model says. */
export async function runHistory(seed: number): Promise<HistoryCounts> {
  const root = realpathSync(mkdtempSync(join(BASE, 'history-')));
  const history = new History(seed, root);
  try {
    await history.run();
    return history.counts;
  } catch (error) {
    throw new Error(`seed ${seed} failed after:\n  ${history.log.join('\n  ')}`, { cause: error });
  } finally {
    history.close();
    rmSync(root, { recursive: true, force: true });
  }
}

class History {
  readonly log: string[] = [];
  readonly counts: HistoryCounts = { rewinds: 0, redos: 0, conflicts: 0, blocked: 0 };
  readonly #root: string;
  readonly #random: Random;
  readonly #model = new Model();
  #folder: OpenFolder | null = null;
  #written = 0;

  constructor(seed: number, root: string) {
    this.#root = root;
    this.#random = new Random(seed);
  }

  close(): void {
    this.#folder?.store.close();
  }

  async run(): Promise<void> {
    for (let count = this.#random.below(5); count > 0; count -= 1) this.#personEdits();
    await this.#open();
    for (let count = 6 + this.#random.below(8); count > 0; count -= 1) await this.#step();
    await this.#checkPlans();
    const report = await this.#open_.store.verify();
    assert.deepEqual([report.ok, report.missing, report.damaged], [true, [], []]);
  }

  get #open_(): OpenFolder {
    assert(this.#folder !== null);
    return this.#folder;
  }

  async #open(): Promise<void> {
    this.#folder?.store.close();
    this.#folder = await openFolder(this.#root, { durability: 'process' });
    assert.deepEqual(this.#folder.recovered, []);
  }

  async #step(): Promise<void> {
    const step = this.#random.weighted({
      turn: 34,
      person: 26,
      rewind: 16,
      'rewind-paths': 9,
      redo: 11,
      reopen: 2,
      prune: 2,
    });
    switch (step) {
      case 'turn':
        return this.#turn();
      case 'person':
        return this.#personEdits();
      case 'rewind':
        await this.#rewind();
        // Undone at once, or after an edit of the person, as people do who chose the wrong turn.
        if (this.#random.next() < 0.3) this.#personEdits();
        if (this.#random.next() < 0.4) await this.#redo();
        return;
      case 'rewind-paths':
        return this.#rewind([this.#random.pick(PATHS)]);
      case 'redo':
        return this.#redo();
      case 'reopen':
        this.log.push('reopen');
        return this.#open();
      case 'prune':
        return this.#prune();
    }
  }

  async #turn(): Promise<void> {
    const { store } = this.#open_;
    const entry = store.beginTurn({ label: 'a turn', agent: 'model', chatHead: null });
    const turn = this.#model.beginTurn(entry.turn);
    this.log.push(`turn ${entry.turn}`);
    for (let calls = 1 + this.#random.below(4); calls > 0; calls -= 1) await this.#toolCall(entry, turn);
    store.finishTurn(entry.turn, 'done');
  }

  async #toolCall(entry: OpenEntry, turn: ModelTurn): Promise<void> {
    const before = readTree(this.#root);
    const { funnel } = this.#open_;
    const path = this.#random.pick(PATHS);
    const other = this.#random.pick(PATHS);
    const tool = this.#random.weighted({
      write: 40,
      delete: 15,
      move: 15,
      directory: 8,
      executable: 7,
      mode: 5,
      symlink: 10,
    });
    this.log.push(`  ${tool} ${path}${tool === 'move' ? ` to ${other}` : ''}`);
    await this.#refusable(async () => {
      switch (tool) {
        case 'write':
          await funnel.writeFile(entry, path, Buffer.from(this.#newText()));
          break;
        case 'delete':
          await funnel.deletePath(entry, path, { recursive: true });
          break;
        case 'move':
          await funnel.movePath(entry, path, other);
          break;
        case 'directory':
          await funnel.createDirectory(entry, path);
          break;
        case 'executable':
          await funnel.setExecutable(entry, path, this.#random.next() < 0.5);
          break;
        case 'mode':
          await funnel.setMode(entry, path, this.#random.pick(MODES) | 0o100);
          break;
        case 'symlink':
          await funnel.createSymlink(entry, path, this.#newTarget(this.#random.pick(['a', 'nowhere', '..'])));
          break;
      }
    });
    this.#model.toolCalled(turn, before, readTree(this.#root));
  }

  /** A refusal is an answer, too: the random calls often make no sense. Anything else is a bug. */
  async #refusable(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('path-')) throw error;
      this.log.push(`    refused: ${error.code}`);
    }
  }

  #personEdits(): void {
    const path = this.#random.pick(this.#random.next() < 0.6 ? this.#recentPaths() : PATHS);
    const edit = this.#random.weighted({
      write: 50,
      delete: 20,
      directory: 8,
      chmod: 10,
      symlink: 7,
      move: 8,
    });
    const absolute = join(this.#root, path);
    this.log.push(`person: ${edit} ${path}`);
    try {
      const present = lstatSync(absolute, { throwIfNoEntry: false });
      switch (edit) {
        case 'write':
          mkdirSync(dirname(absolute), { recursive: true });
          if (present !== undefined && !present.isFile()) rmSync(absolute, { recursive: true });
          writeFileSync(absolute, this.#newText());
          break;
        case 'delete':
          rmSync(absolute, { recursive: true, force: true });
          break;
        case 'directory':
          mkdirSync(absolute, { recursive: true });
          break;
        case 'chmod':
          if (present?.isFile()) chmodSync(absolute, this.#random.pick(MODES));
          break;
        case 'symlink':
          rmSync(absolute, { recursive: true, force: true });
          symlinkSync(this.#newTarget('b'), absolute);
          break;
        case 'move':
          renameSync(absolute, join(this.#root, this.#random.pick(PATHS)));
          break;
      }
    } catch (error) {
      // Where a parent is a file, the person can't do that either.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /** Where the agent was last: that is where conflicts are. */
  #recentPaths(): readonly string[] {
    const touched = [...(this.#model.turns.at(-1)?.touched.keys() ?? [])];
    return touched.length > 0 ? touched : PATHS;
  }

  /**
   * Where a link leads, in words that no link has yet: a link that replaces an equal one is written by the agent all the same, which
   * a model that compares trees can't know.
   */
  #newTarget(place: string): string {
    this.#written += 1;
    return `${'./'.repeat(this.#written)}${place}`;
  }

  #newText(): string {
    this.#written += 1;
    return `text ${this.#written}\n`;
  }

  async #rewind(paths?: readonly string[]): Promise<void> {
    const { turns } = this.#model;
    if (turns.length === 0) return;
    const target = this.#random.pick(turns);
    const keep = this.#random.next() < 0.3;
    const isOwnInForce = [...this.#model.wantedBefore(target.turn, paths).keys()].some(
      (path) => target.touched.get(path)?.undoneBy === null && isAsked(path, paths),
    );
    const wanted = this.#model.wantedBefore(target.turn, paths);
    this.log.push(`rewind to ${target.turn} ${paths?.join(' ') ?? ''} ${keep ? 'keep' : 'overwrite'}`);
    const apply = () =>
      applyRewind({
        ...this.#open_,
        plan: { turn: asTurnNumber(target.turn), ...(paths === undefined ? {} : { paths }) },
        decisions: { conflicts: keep ? 'keep' : 'overwrite' },
        scope: 'files-only',
      });
    if (target.isRewound && (paths === undefined || !isOwnInForce)) {
      await assert.rejects(apply, { code: 'already-rewound' });
      return;
    }
    if (paths !== undefined && ![...wanted.keys()].some((path) => isAsked(path, paths))) {
      await assert.rejects(apply, { code: 'nothing-to-rewind' });
      return;
    }
    const before = readTree(this.#root);
    const { report, left } = await this.#goingBack(before, wanted, keep, apply);
    this.counts.rewinds += 1;
    assert(report.rewind !== null);
    this.#model.rewound(
      report.rewind,
      target.turn,
      new Set([...wanted.keys()].filter((path) => !left.has(path))),
      paths === undefined,
      before,
      readTree(this.#root),
    );
  }

  async #redo(): Promise<void> {
    const wanted = this.#model.wantedByRedo();
    const keep = this.#random.next() < 0.3;
    this.log.push(`redo ${keep ? 'keep' : 'overwrite'}`);
    const apply = () => redo({ ...this.#open_, decisions: { conflicts: keep ? 'keep' : 'overwrite' } });
    if (wanted === null) {
      await assert.rejects(apply, { code: 'nothing-to-redo' });
      return;
    }
    const { left } = await this.#goingBack(readTree(this.#root), wanted, keep, apply);
    this.counts.redos += 1;
    this.#model.redone(left);
  }

  /** Goes back, and holds tree, report and untouched files against the prediction. */
  async #goingBack(
    before: Tree,
    wanted: ReadonlyMap<string, Wanted>,
    keep: boolean,
    apply: () => Promise<RewindReport>,
  ): Promise<{ report: RewindReport; left: ReadonlySet<string> }> {
    const identitiesBefore = identities(this.#root, before);
    const prediction = predict(before, wanted, keep);
    const report = await apply();
    const after = readTree(this.#root);
    assert.deepEqual(shown(after), shown(prediction.tree));
    assert.deepEqual(new Set(report.failed.map(({ path }) => path)), prediction.blocked);
    assert.deepEqual(new Set(report.kept), prediction.kept);
    assert.deepEqual(report.notDone, []);
    const identitiesAfter = identities(this.#root, after);
    for (const [path, identity] of identitiesBefore) {
      // A change of mode alone keeps the file, too.
      if (sameContent(before, after, path)) assert.equal(identitiesAfter.get(path), identity, path);
    }
    this.counts.conflicts += report.conflicts.length;
    this.counts.blocked += report.failed.length;
    return { report, left: new Set([...prediction.blocked, ...prediction.kept]) };
  }

  async #prune(): Promise<void> {
    const { store } = this.#open_;
    const keepTurns = this.#random.below(4);
    this.log.push(`prune, keep ${keepTurns}`);
    await store.prune({ keepTurns });
    this.#model.pruned((entry) => store.entry(asTurnNumber(entry)) !== null);
  }

  /** Every turn that can still be undone has the plan that the model has. */
  async #checkPlans(): Promise<void> {
    const folder = this.#open_;
    const present = readTree(this.#root);
    for (const { turn, isRewound } of this.#model.turns) {
      const plan = () => planRewind({ ...folder, turn: asTurnNumber(turn) });
      if (isRewound) await assert.rejects(plan, { code: 'already-rewound' });
      else this.#checkPlan(await plan(), present, this.#model.wantedBefore(turn));
    }
    const wantedByRedo = this.#model.wantedByRedo();
    if (wantedByRedo === null) await assert.rejects(() => planRedo(folder), { code: 'nothing-to-redo' });
  }

  #checkPlan(plan: Plan, present: Tree, wanted: ReadonlyMap<string, Wanted>): void {
    const { verdicts } = predict(present, wanted, false);
    const planned = new Map(plan.items.map((item) => [item.path, item]));
    assert.deepEqual([...planned.keys()].sort(), [...wanted.keys()].sort());
    for (const [path, item] of planned) {
      assert(sameState(item.wanted, wanted.get(path)!.wanted), `wanted at ${path}`);
      // A folder that is in the way of a file is the person's to move: a conflict, whoever made it.
      if (item.action === 'none' && item.verdict === 'conflict') continue;
      assert.equal(item.verdict, verdicts.get(path), path);
    }
  }
}

const isAsked = (path: string, paths: readonly string[] | undefined): boolean =>
  paths === undefined || paths.some((asked) => path === asked || path.startsWith(`${asked}/`));

function sameContent(before: Tree, after: Tree, path: string): boolean {
  const [old, now] = [at(before, path), at(after, path)];
  return old.kind === 'content' && now.kind === 'content' ? old.sha256 === now.sha256 : sameState(old, now);
}
