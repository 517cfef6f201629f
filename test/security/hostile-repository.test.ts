/** What a repository may hold that was made to harm whoever looks at it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeGitMoves, snapshotGit } from '../../electron/workspace/index.ts';
import { newRepository } from '../helpers/repository.ts';

describe('a repository that somebody made to harm', () => {
  it('names of branches are quoted in commands, and names that git refuses are not shown', async () => {
    const repository = await newRepository();
    repository.commit('1');
    const heads = join(repository.folder, '.git', 'refs', 'heads');
    const commitName = repository.git('rev-parse', 'HEAD');
    const moves = await repository.movesOf(() => {
      writeFileSync(join(heads, "$(id>owned);'x"), commitName);
      writeFileSync(join(heads, 'line\nbreak'), commitName);
      writeFileSync(join(heads, 'turned\u202eround'), commitName);
      writeFileSync(join(heads, 'no-object'), 'words');
    });
    expect(moves).toHaveLength(1);
    expect(moves[0]).toContain(`git branch -D '$(id>owned);'\\''x'`);
    repository.undo(moves[0]);
    expect(readdirSync(repository.folder).sort()).toEqual(['.git', 'a']);
    expect(readdirSync(heads)).not.toContain("$(id>owned);'x");
  });

  it.each(['HEAD', 'packed-refs', 'index', 'logs/HEAD', 'refs/heads/main'])(
    'a pipe, a link or a folder in the place of %s keeps nobody waiting',
    async (name) => {
      const repository = await newRepository();
      repository.commit('1');
      const place = join(repository.folder, '.git', name);
      for (const make of [
        () => execFileSync('mkfifo', [place]),
        () => symlinkSync('/dev/zero', place),
        () => mkdirSync(place),
      ]) {
        rmSync(place, { recursive: true, force: true });
        make();
        const snapshot = await snapshotGit(repository.folder);
        expect(describeGitMoves(snapshot, snapshot)).toEqual([]);
      }
    },
  );
});
