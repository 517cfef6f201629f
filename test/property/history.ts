/**
 * One random history: turns of an agent through the funnel and through scripts, a person's edits between them, rewinds of all
 * kinds, redo, prune and reopening, each step held against the model. Ends with every plan compared and the store verified.
 */

import assert from 'node:assert/strict';
import { applyRewind, planRedo, planRewind, redo } from '../../electron/rewind/index.ts';
import { sameState } from '../../shared/file-state.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { Model, predict, type Wanted } from './model.ts';
import { personEdits } from './person.ts';
import { PATHS, Scene } from './scene.ts';
import type { Shell } from './shell.ts';
import { callTool } from './tool-call.ts';
import { at, identities, readTree, shown, type Tree } from './tree.ts';
import { prepareGit, UnseenSteps } from './unseen-steps.ts';

export interface HistoryCounts {
  rewinds: number;
  redos: number;
  conflicts: number;
  blocked: number;
  /** Rewinds to a turn since which the person did nothing: the folder as a whole was as right before the turn. */
  exact: number;
}

export const noCounts = (): HistoryCounts => ({ rewinds: 0, redos: 0, conflicts: 0, blocked: 0, exact: 0 });

export function addCounts(total: HistoryCounts, counts: HistoryCounts): void {
  total.rewinds += counts.rewinds;
  total.redos += counts.redos;
  total.conflicts += counts.conflicts;
  total.blocked += counts.blocked;
  total.exact += counts.exact;
}

/**
 * With a shell, the turns also run scripts in it, into which nobody can see. Throws with the seed and the steps so far when
 * anything is not as the model says.
 */
export async function runHistory(seed: number, shell: Shell | null = null): Promise<HistoryCounts> {
  const scene = new Scene(seed);
  const history = new History(scene, shell);
  try {
    await history.run();
    return history.counts;
  } catch (error) {
    const steps = scene.log.join('\n  ');
    const kind = shell === null ? 'history' : 'shell history';
    throw new Error(`${kind} with seed ${seed} failed after:\n  ${steps}`, { cause: error });
  } finally {
    await history.close();
    scene.remove();
  }
}

class History {
  readonly counts = noCounts();
  readonly #scene: Scene;
  readonly #shell: Shell | null;
  readonly #model = new Model();
  /** The whole folder right before each turn, for as long as only the agent has changed it since. */
  readonly #treeBefore = new Map<number, Tree>();
  #folder: OpenFolder | null = null;
  #unseen: UnseenSteps | null = null;
  #hasGit = false;

  constructor(scene: Scene, shell: Shell | null) {
    this.#scene = scene;
    this.#shell = shell;
  }

  async close(): Promise<void> {
    await this.#unseen?.close();
    this.#folder?.store.close();
  }

  async run(): Promise<void> {
    const { random } = this.#scene;
    for (let count = random.below(5); count > 0; count -= 1) this.#personEdits();
    this.#hasGit = this.#shell !== null && prepareGit(this.#scene);
    await this.#open();
    assert.deepEqual(this.#open_.recovered, []);
    for (let count = 6 + random.below(8); count > 0; count -= 1) await this.#step();
    await this.#checkPlans();
    await this.#unseen?.check();
    const report = await this.#open_.store.verify();
    assert.deepEqual([report.ok, report.missing, report.damaged, report.orphans], [true, [], [], []]);
  }

  get #open_(): OpenFolder {
    assert(this.#folder !== null);
    return this.#folder;
  }

  async #open(): Promise<void> {
    await this.close();
    const folder = await openFolder(this.#scene.root, { durability: 'process' });
    this.#folder = folder;
    if (this.#shell !== null) this.#unseen = new UnseenSteps(this.#scene, folder, this.#shell, this.#hasGit);
  }

  async #step(): Promise<void> {
    const { random, log } = this.#scene;
    const step = random.weighted({
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
        if (random.next() < 0.3) this.#personEdits();
        if (random.next() < 0.4) await this.#redo();
        return;
      case 'rewind-paths':
        return this.#rewind([random.pick(PATHS)]);
      case 'redo':
        return this.#redo();
      case 'reopen':
        log.push('reopen');
        await this.#open();
        assert.deepEqual(this.#open_.recovered, []);
        return;
      case 'prune':
        return this.#prune();
    }
  }

  async #turn(): Promise<void> {
    const { random, log, root } = this.#scene;
    const { store, funnel } = this.#open_;
    const before = readTree(root);
    const entry = store.beginTurn({ label: 'a turn', agent: 'model', chatHead: null });
    const turn = this.#model.beginTurn(entry.turn);
    log.push(`turn ${entry.turn}`);
    this.#treeBefore.set(entry.turn, before);
    const how = this.#unseen === null ? 'tools' : random.weighted({ mixed: 75, unseen: 20, 'cut off': 5 });
    switch (how) {
      case 'tools':
        for (let calls = 1 + random.below(4); calls > 0; calls -= 1) {
          const beforeCall = readTree(root);
          await callTool(this.#scene, funnel, entry);
          this.#model.toolCalled(turn, beforeCall, readTree(root));
        }
        break;
      case 'mixed':
        await this.#unseen?.turn(entry, before, this.#model, turn);
        break;
      case 'unseen':
        await this.#unseen?.unseenTurn(entry, before, this.#model, turn);
        break;
      case 'cut off':
        await this.#unseen?.cutOffTurn(entry);
        await this.#open();
        await this.#unseen?.recover();
        this.#model.toolCalled(turn, before, readTree(root));
    }
    if (how !== 'cut off') this.#open_.store.finishTurn(entry.turn, 'done');
    assert.deepEqual(this.#open_.store.entry(entry.turn)?.notCovered, []);
  }

  #personEdits(): void {
    this.#treeBefore.clear();
    personEdits(this.#scene, [...(this.#model.turns.at(-1)?.touched.keys() ?? [])]);
  }

  async #rewind(paths?: readonly string[]): Promise<void> {
    const { random, log, root } = this.#scene;
    const { turns } = this.#model;
    if (turns.length === 0) return;
    const target = random.pick(turns);
    const keep = random.next() < 0.3;
    const isOwnInForce = [...this.#model.wantedBefore(target.turn, paths).keys()].some(
      (path) => target.touched.get(path)?.undoneBy === null && isAsked(path, paths),
    );
    const wanted = this.#model.wantedBefore(target.turn, paths);
    log.push(`rewind to ${target.turn} ${paths?.join(' ') ?? ''} ${keep ? 'keep' : 'overwrite'}`);
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
    const before = readTree(root);
    const { report, left, after } = await this.#goingBack(before, wanted, keep, apply);
    this.counts.rewinds += 1;
    assert(report.rewind !== null);
    if (paths === undefined) this.#checkWhole(target.turn, after);
    this.#treeBefore.clear();
    this.#model.rewound(
      report.rewind,
      target.turn,
      new Set([...wanted.keys()].filter((path) => !left.has(path))),
      paths === undefined,
      before,
      after,
    );
  }

  /** Nobody but the agent was at work since: that needs no model. */
  #checkWhole(turn: number, after: Tree): void {
    const before = this.#treeBefore.get(turn);
    if (before === undefined) return;
    assert.deepEqual(shown(after), shown(before));
    this.counts.exact += 1;
  }

  async #redo(): Promise<void> {
    const { random, log, root } = this.#scene;
    const wanted = this.#model.wantedByRedo();
    const keep = random.next() < 0.3;
    log.push(`redo ${keep ? 'keep' : 'overwrite'}`);
    const apply = () => redo({ ...this.#open_, decisions: { conflicts: keep ? 'keep' : 'overwrite' } });
    if (wanted === null) {
      await assert.rejects(apply, { code: 'nothing-to-redo' });
      return;
    }
    this.#treeBefore.clear();
    const { left } = await this.#goingBack(readTree(root), wanted, keep, apply);
    this.counts.redos += 1;
    this.#model.redone(left);
  }

  /** Goes back, and holds tree, report and untouched files against the prediction. */
  async #goingBack(
    before: Tree,
    wanted: ReadonlyMap<string, Wanted>,
    keep: boolean,
    apply: () => Promise<RewindReport>,
  ): Promise<{ report: RewindReport; left: ReadonlySet<string>; after: Tree }> {
    const { root } = this.#scene;
    const identitiesBefore = identities(root, before);
    const prediction = predict(before, wanted, keep);
    const report = await apply();
    const after = readTree(root);
    assert.deepEqual(shown(after), shown(prediction.tree));
    assert.deepEqual(new Set(report.failed.map(({ path }) => path)), prediction.blocked);
    assert.deepEqual(new Set(report.kept), prediction.kept);
    assert.deepEqual(report.notDone, []);
    const identitiesAfter = identities(root, after);
    for (const [path, identity] of identitiesBefore) {
      // A change of mode alone keeps the file, too.
      if (sameContent(before, after, path)) assert.equal(identitiesAfter.get(path), identity, path);
    }
    this.counts.conflicts += report.conflicts.length;
    this.counts.blocked += report.failed.length;
    return { report, left: new Set([...prediction.blocked, ...prediction.kept]), after };
  }

  async #prune(): Promise<void> {
    const { store } = this.#open_;
    const keepTurns = this.#scene.random.below(4);
    this.#scene.log.push(`prune, keep ${keepTurns}`);
    const prune = () => store.prune({ keepTurns });
    await (this.#unseen === null ? prune() : this.#unseen.exclusively(prune));
    this.#model.pruned((entry) => store.entry(asTurnNumber(entry)) !== null);
  }

  /** Every turn that can still be undone has the plan that the model has. */
  async #checkPlans(): Promise<void> {
    const folder = this.#open_;
    const present = readTree(this.#scene.root);
    for (const { turn, isRewound } of this.#model.turns) {
      const plan = () => planRewind({ ...folder, turn: asTurnNumber(turn) });
      if (isRewound) await assert.rejects(plan, { code: 'already-rewound' });
      else checkPlan(await plan(), present, this.#model.wantedBefore(turn));
    }
    const wantedByRedo = this.#model.wantedByRedo();
    if (wantedByRedo === null) await assert.rejects(() => planRedo(folder), { code: 'nothing-to-redo' });
  }
}

function checkPlan(plan: Plan, present: Tree, wanted: ReadonlyMap<string, Wanted>): void {
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

const isAsked = (path: string, paths: readonly string[] | undefined): boolean =>
  paths === undefined || paths.some((asked) => path === asked || path.startsWith(`${asked}/`));

function sameContent(before: Tree, after: Tree, path: string): boolean {
  const [old, now] = [at(before, path), at(after, path)];
  return old.kind === 'content' && now.kind === 'content' ? old.sha256 === now.sha256 : sameState(old, now);
}
