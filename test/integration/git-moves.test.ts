/** What a command did to git is said, with the command that undoes it; asking git for its status is nothing. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeGitMoves, snapshotGit } from '../../electron/workspace/index.ts';
import { temporaryFolder } from '../helpers/folder.ts';

let folder: string;

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const commit = (text: string): string => {
  appendFileSync(join(folder, 'a'), text);
  git('add', '-A');
  git('commit', '-qm', text);
  return git('rev-parse', '--short=7', 'HEAD').trim();
};

async function movesOf(step: () => void): Promise<string[]> {
  const before = await snapshotGit(folder);
  step();
  return describeGitMoves(before, await snapshotGit(folder));
}

beforeEach(async () => {
  folder = await temporaryFolder();
  git('init', '-q', '-b', 'main');
});

describe('moves of git', () => {
  it('a commit is named with both ends, and how to undo it', async () => {
    const first = commit('1');
    let second = '';
    const moves = await movesOf(() => {
      second = commit('2');
    });
    expect(moves).toEqual([
      `This turn also moved git on main: ${first} -> ${second} (a commit, for example); a rewind leaves it. To undo it: \`git reset --soft ${first}\`.`,
    ]);
  });

  it('the first commit of a repository is one, too', async () => {
    expect(await movesOf(() => commit('1'))).toEqual([expect.stringContaining('no commit -> ')]);
  });

  it('other branches, tags and stashes are named, packed or loose', async () => {
    commit('1');
    git('branch', 'old');
    git('pack-refs', '--all');
    const moves = await movesOf(() => {
      git('switch', '-qc', 'topic');
      git('tag', 'v1');
      git('branch', '-D', 'old');
      writeFileSync(join(folder, 'a'), 'changed');
      git('stash', '-q');
    });
    expect(moves.join('\n')).toContain('switched git from main to topic');
    expect(moves.join('\n')).toContain('made the git branch topic');
    expect(moves.join('\n')).toContain('removed the git branch old');
    expect(moves.join('\n')).toContain('made the git tag v1');
    expect(moves.join('\n')).toContain('`git stash pop`');
  });

  it.each(['2', '3', '4'])(
    'what is staged counts, and a refresh of times does not (index version %s)',
    async (version) => {
      commit('1');
      git('update-index', '--index-version', version);
      if (version === '3') {
        writeFileSync(join(folder, 'b'), 'b');
        git('add', '-N', 'b');
      }
      const refresh = await movesOf(() => {
        execFileSync('touch', ['-d', '2001-01-01', join(folder, 'a')]);
        git('status');
      });
      expect(refresh).toEqual([]);
      appendFileSync(join(folder, 'a'), 'more');
      expect(await movesOf(() => git('add', 'a'))).toEqual([expect.stringContaining('has staged')]);
    },
  );

  it('a worktree shares its branches with the repository', async () => {
    commit('1');
    const main = folder;
    git('worktree', 'add', '-q', join(main, 'tree'), '-b', 'tree');
    folder = join(main, 'tree');
    expect(await movesOf(() => commit('2'))).toEqual([expect.stringContaining('moved git on tree')]);
  });

  it('a folder without git has no moves; making one is said', async () => {
    folder = await temporaryFolder();
    expect(await movesOf(() => undefined)).toEqual([]);
    expect(await movesOf(() => git('init', '-q'))).toEqual([
      expect.stringContaining('made a git repository'),
    ]);
  });
});
