/** Where a random history happens, and what its steps choose from. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from './random.ts';

/** Few names, so that paths meet: files where folders were, moves onto each other, one path in many turns. */
export const PATHS = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'f', 'f/g', 'ü é.txt'];
export const MODES = [0o644, 0o600, 0o755, 0o444];

/** Folders in memory, where the machine has that: what is tested here is not the disk. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Each part of a path may be a link to `..`: what steps do outside of the folder must stay in a place of its own. */
const DEPTH = 'o/o/o/o/folder';

export class Scene {
  readonly root: string;
  readonly random: Random;
  readonly log: string[] = [];
  readonly #top: string;
  #written = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#top = realpathSync(mkdtempSync(join(BASE, 'history-')));
    this.root = join(this.#top, DEPTH);
    mkdirSync(this.root, { recursive: true });
  }

  /** A text that no file has yet. */
  newText(): string {
    this.#written += 1;
    return `text ${this.#written}\n`;
  }

  /**
   * Where a link leads, in words that no link has yet: a link that replaces an equal one is written by a tool all the same, which
   * a model that compares trees can't know.
   */
  newTarget(place: string): string {
    this.#written += 1;
    return `${'./'.repeat(this.#written)}${place}`;
  }

  remove(): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}
