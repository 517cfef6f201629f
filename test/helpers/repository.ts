/** A real git repository, and what happens to it between two looks. */

import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeGitMoves, snapshotGit } from '../../electron/workspace/index.ts';
import { temporaryFolder } from './folder.ts';

export class Repository {
  folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  git(...words: string[]): string {
    return execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }

  /** Adds the text to the file `a`; gives the short name of the commit. */
  commit(text: string): string {
    appendFileSync(join(this.folder, 'a'), text);
    this.git('add', '-A');
    this.git('commit', '-qm', text);
    return this.head();
  }

  head(): string {
    return this.git('rev-parse', '--short=7', 'HEAD').trim();
  }

  async movesOf(step: () => void): Promise<string[]> {
    const before = await snapshotGit(this.folder);
    step();
    return describeGitMoves(before, await snapshotGit(this.folder));
  }

  /** Runs the command that a move names. */
  undo(move: string | undefined): void {
    const command = /To undo it[^:]*: `(.*?)`/.exec(move ?? '')?.[1] ?? 'false';
    execFileSync('sh', ['-c', command], { cwd: this.folder, stdio: 'pipe' });
  }
}

export async function newRepository(...words: readonly string[]): Promise<Repository> {
  const repository = new Repository(await temporaryFolder());
  repository.git('init', '-q', '-b', 'main', ...words);
  return repository;
}
