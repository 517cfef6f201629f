/** What a person does to the folder between two turns. */

import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MODES, PATHS, type Scene } from './scene.ts';

/** `recent`: where the agent was last; that is where conflicts are. */
export function personEdits(scene: Scene, recent: readonly string[]): void {
  const { root, random } = scene;
  const path = random.pick(random.next() < 0.6 && recent.length > 0 ? recent : PATHS);
  const edit = random.weighted({
    write: 50,
    delete: 20,
    directory: 8,
    chmod: 10,
    symlink: 7,
    move: 8,
  });
  const absolute = join(root, path);
  scene.log.push(`person: ${edit} ${path}`);
  try {
    const present = lstatSync(absolute, { throwIfNoEntry: false });
    switch (edit) {
      case 'write':
        mkdirSync(dirname(absolute), { recursive: true });
        if (present !== undefined && !present.isFile()) rmSync(absolute, { recursive: true });
        writeFileSync(absolute, scene.newText());
        break;
      case 'delete':
        rmSync(absolute, { recursive: true, force: true });
        break;
      case 'directory':
        mkdirSync(absolute, { recursive: true });
        break;
      case 'chmod':
        if (present?.isFile()) chmodSync(absolute, random.pick(MODES));
        break;
      case 'symlink':
        rmSync(absolute, { recursive: true, force: true });
        symlinkSync(scene.newTarget('b'), absolute);
        break;
      case 'move':
        renameSync(absolute, join(root, random.pick(PATHS)));
        break;
    }
  } catch (error) {
    // Where a parent is a file, the person can't do that either.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
