/**
 * What a kill leaves: a copy of the folder before each call that changes it. A killed process loses what is in its memory and
 * nothing else, so that one run gives the folder as it is after a kill at any of its calls.
 */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { FileSystem } from '../../electron/base/file-system.ts';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { CHANGING, type FileSystemCall, faultyFileSystem } from './faulty-file-system.ts';

export interface CrashImage {
  readonly root: string;
  /** The call that was not made any more. */
  readonly before: string;
}

export class CrashImages {
  readonly images: CrashImage[] = [];
  readonly fs: FileSystem;
  readonly #root: string;
  readonly #into: string;
  #isOn = false;

  constructor(root: string, into: string) {
    this.#root = root;
    this.#into = into;
    this.fs = faultyFileSystem(nodeFileSystem, (call) => this.#onCall(call));
  }

  /** For the history's own calls: what they change comes to the disk with the commit. */
  readonly onDatabaseCall = (call: string): void => {
    if (call === 'COMMIT') this.#take(call);
  };

  /** From now on. */
  start(): void {
    this.#isOn = true;
  }

  stop(): void {
    this.#take('the end');
    this.#isOn = false;
  }

  #onCall({ name, path }: FileSystemCall): void {
    const isCreation = name === 'open' && path.endsWith('.tmp');
    if (isCreation || CHANGING.has(name)) this.#take(`${name} ${path.slice(this.#root.length + 1)}`);
  }

  #take(before: string): void {
    if (!this.#isOn) return;
    const root = join(this.#into, `${this.images.length}`);
    execFileSync('cp', ['-a', this.#root, root]);
    this.images.push({ root, before });
  }
}
