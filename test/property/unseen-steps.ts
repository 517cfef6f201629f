/** Steps of a turn that nobody can see into, run as the product runs them: the folder is looked at before and after. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Baseline } from '../../electron/session/baseline.ts';
import { captureInterruptedStep } from '../../electron/session/interrupted-step.ts';
import { OpaqueSteps } from '../../electron/session/opaque-step.ts';
import { ProgressBoard } from '../../electron/session/progress-board.ts';
import type { OpenEntry } from '../../electron/store/types.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { OpenFolder } from '../helpers/open-folder.ts';
import type { Model, ModelTurn } from './model.ts';
import type { Scene } from './scene.ts';
import type { Shell } from './shell.ts';
import { randomScript } from './shell-script.ts';
import { callTool } from './tool-call.ts';
import { readTree, shown, type Tree } from './tree.ts';

const IGNORED = 'out.log\n.env\nd/e\n';

/** Half of the folders are git repositories, with some paths ignored. */
export function prepareGit({ root, random, log }: Scene): boolean {
  if (random.next() < 0.5) return false;
  log.push('git');
  writeFileSync(join(root, '.gitignore'), IGNORED);
  // All that makes a folder a repository.
  mkdirSync(join(root, '.git/objects'), { recursive: true });
  mkdirSync(join(root, '.git/refs'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  return true;
}

export class UnseenSteps {
  readonly #scene: Scene;
  readonly #folder: OpenFolder;
  readonly #baseline: Baseline;
  readonly #shell: Shell;
  readonly #hasGit: boolean;

  constructor(scene: Scene, folder: OpenFolder, shell: Shell, hasGit: boolean) {
    this.#scene = scene;
    this.#shell = shell;
    this.#folder = folder;
    this.#hasGit = hasGit;
    this.#baseline = new Baseline({
      store: folder.store,
      root: folder.workspace.root,
      settings: DEFAULT_SETTINGS,
      progress: new ProgressBoard(() => undefined),
    });
  }

  close(): Promise<void> {
    return this.#baseline.close();
  }

  /** Tools and scripts one after the other. */
  async turn(entry: OpenEntry, tree: Tree, model: Model, turn: ModelTurn): Promise<void> {
    const { random } = this.#scene;
    const steps = this.#stepsOf(entry);
    let before = tree;
    for (let calls = 1 + random.below(3); calls > 0; calls -= 1) {
      if (random.next() < 0.35) await callTool(this.#scene, this.#folder.funnel, entry);
      else await steps.around(() => this.#script());
      const after = this.#tree();
      model.toolCalled(turn, before, after);
      before = after;
    }
  }

  /** An agent that writes by itself: the whole turn is one step, in which some calls go through our tools or are steps themselves. */
  async unseenTurn(entry: OpenEntry, tree: Tree, model: Model, turn: ModelTurn): Promise<void> {
    const { random, log } = this.#scene;
    const steps = this.#stepsOf(entry);
    let seen = tree;
    const observed = (): void => {
      const now = this.#tree();
      model.toolCalled(turn, seen, now);
      seen = now;
    };
    log.push('  unseen');
    await steps.around(async () => {
      for (let calls = 1 + random.below(3); calls > 0; calls -= 1) {
        const call = random.weighted({ script: 50, step: 20, tool: 30 });
        if (call === 'script') {
          await this.#script();
          continue;
        }
        observed();
        if (call === 'tool') {
          await steps.observeInside();
          await callTool(this.#scene, this.#folder.funnel, entry);
        } else await steps.around(() => this.#script());
        observed();
      }
    });
    observed();
  }

  /** The app dies while a script runs. The folder is to be opened again with `recover`. */
  async cutOffTurn(entry: OpenEntry): Promise<void> {
    this.#scene.log.push('  cut off');
    await new Promise<void>((resolve, reject) => {
      this.#stepsOf(entry)
        .around(async () => {
          await this.#script();
          resolve();
          // Whoever died never comes back.
          await new Promise(() => undefined);
        })
        .catch(reject);
    });
  }

  async recover(): Promise<void> {
    const told = await captureInterruptedStep(this.#folder.store, this.#baseline);
    assert.equal(told.length, 1);
  }

  /** What is remembered of the folder is what is in it. */
  async check(): Promise<void> {
    await this.#baseline.scan();
    const rows = [...this.#folder.store.baseline()].map(({ path, state }) => [path, state] as const);
    assert.deepEqual(shown(new Map(rows)), shown(this.#tree()));
  }

  /** Removing contents must not run beside a scan. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#baseline.exclusively(work);
  }

  #stepsOf(entry: OpenEntry): OpaqueSteps {
    const parts = { ...this.#folder, baseline: this.#baseline };
    return new OpaqueSteps(parts, entry, new AbortController().signal, () => undefined);
  }

  async #script(): Promise<void> {
    const lines = randomScript(this.#scene, this.#hasGit);
    this.#scene.log.push(...lines.map((line) => `  $ ${line}`));
    await this.#shell.run(this.#scene.root, lines);
  }

  #tree(): Tree {
    return readTree(this.#scene.root);
  }
}
