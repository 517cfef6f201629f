/** What a command did to git is said, with the command that undoes it; asking git for its status is nothing. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { newRepository, Repository } from '../helpers/repository.ts';

let repository: Repository;

beforeEach(async () => {
  repository = await newRepository();
});

describe('moves of HEAD', () => {
  it('a commit is named with both ends, and undone without touching files', async () => {
    const first = repository.commit('1');
    let second = '';
    const moves = await repository.movesOf(() => {
      second = repository.commit('2');
    });
    expect(moves).toEqual([
      `This turn also made a commit on main: ${first} -> ${second}; a rewind leaves it. To undo it: \`git reset --soft ${first}\`.`,
    ]);
    repository.undo(moves[0]);
    expect(repository.head()).toBe(first);
    expect(readFileSync(join(repository.folder, 'a'), 'utf8')).toBe('12');
  });

  it('several commits are counted, and an amended one is called so', async () => {
    repository.commit('1');
    const several = await repository.movesOf(() => {
      repository.commit('2');
      repository.commit('3');
    });
    expect(several).toEqual([expect.stringContaining('made 2 commits on main')]);
    const amended = await repository.movesOf(() => repository.git('commit', '-q', '--amend', '-m', 'better'));
    expect(amended).toEqual([expect.stringContaining('amended a commit on main')]);
  });

  it('the first commit of a repository is one, too', async () => {
    const moves = await repository.movesOf(() => repository.commit('1'));
    expect(moves).toEqual([expect.stringContaining('made a commit on main: no commit -> ')]);
    repository.undo(moves[0]);
    expect(() => repository.head()).toThrow();
    expect(repository.git('status', '--short')).toContain('A  a');
  });

  it('a reset, a merge, or a commit by plumbing that git did not write down is a move', async () => {
    const first = repository.commit('1');
    const second = repository.commit('2');
    const reset = await repository.movesOf(() => repository.git('reset', '-q', '--hard', first));
    expect(reset).toEqual([expect.stringContaining(`moved git on main: ${second} -> ${first}`)]);
    repository.undo(reset[0]);
    expect(repository.head()).toBe(second);
    repository.git('config', 'core.logAllRefUpdates', 'false');
    const unwritten = await repository.movesOf(() => repository.git('update-ref', 'refs/heads/main', first));
    expect(unwritten).toEqual([expect.stringContaining('moved git on main')]);
  });

  it.each([
    ['a branch', () => repository.git('switch', '-q', 'main')],
    ['a commit', () => repository.git('switch', '-q', '--detach', 'main')],
  ])('a switch away from %s is named, and undone without touching files', async (_, start) => {
    repository.commit('1');
    repository.git('branch', 'other');
    start();
    const before = readFileSync(join(repository.folder, '.git', 'HEAD'), 'utf8');
    const moves = await repository.movesOf(() => {
      repository.git('switch', '-q', 'other');
      repository.commit('2');
    });
    expect(moves[0]).toMatch(/^This turn also switched git from (main|the commit [0-9a-f]{7}) to other;/);
    expect(moves[1]).toContain('moved the git branch other');
    repository.undo(moves[0]);
    expect(readFileSync(join(repository.folder, '.git', 'HEAD'), 'utf8')).toBe(before);
    expect(repository.git('status', '--short')).toBe(' M a\n');
    repository.undo(moves[1]);
    expect(repository.git('rev-parse', 'other')).toBe(repository.git('rev-parse', 'main'));
  });

  it('a worktree shares its branches with the repository', async () => {
    repository.commit('1');
    const tree = join(repository.folder, 'tree');
    repository.git('worktree', 'add', '-q', tree, '-b', 'tree');
    const there = new Repository(tree);
    expect(await there.movesOf(() => there.commit('2'))).toEqual([
      expect.stringContaining('made a commit on tree'),
    ]);
  });

  it('a folder that is a part of a repository sees the moves of the whole', async () => {
    repository.commit('1');
    const part = new Repository(join(repository.folder, 'part'));
    mkdirSync(part.folder);
    expect(await part.movesOf(() => part.commit('2'))).toEqual([
      expect.stringContaining('made a commit on main'),
    ]);
  });

  it('a folder without git has no moves; making and removing a repository is said', async () => {
    repository = new Repository(await temporaryFolder());
    expect(await repository.movesOf(() => undefined)).toEqual([]);
    const made = await repository.movesOf(() => repository.git('init', '-q'));
    expect(made).toEqual([expect.stringContaining('made a git repository')]);
    const removed = await repository.movesOf(() =>
      rmSync(join(repository.folder, '.git'), { recursive: true }),
    );
    expect(removed).toEqual([expect.stringContaining('removed the git repository')]);
  });
});

describe('other moves', () => {
  it('branches and tags that were made, moved or removed are named, packed or loose, and undone', async () => {
    repository.commit('1');
    repository.git('branch', 'old');
    repository.git('branch', 'moved');
    repository.git('tag', '-a', 'v0', '-m', 'annotated');
    repository.git('pack-refs', '--all');
    const refs = repository.git('show-ref');
    repository.commit('2');
    const moves = await repository.movesOf(() => {
      repository.git('branch', 'topic/one');
      repository.git('tag', 'v1');
      repository.git('branch', '-q', '-D', 'old');
      repository.git('tag', '-d', 'v0');
      repository.git('branch', '-f', 'moved', 'main');
    });
    expect(moves.map((move) => /also (.*?)[;:]/.exec(move)?.[1])).toEqual([
      'moved the git branch moved',
      'removed the git branch old',
      'made the git branch topic/one',
      'removed the git tag v0',
      'made the git tag v1',
    ]);
    for (const move of moves) repository.undo(move);
    repository.git('reset', '-q', '--soft', 'HEAD~');
    expect(repository.git('show-ref')).toBe(refs);
  });

  it('a stash that was made or dropped is named, and a dropped one comes back', async () => {
    repository.commit('1');
    let made = 0;
    const stash = (): void => {
      appendFileSync(join(repository.folder, 'a'), String(made));
      repository.git('stash', '-q');
      made += 1;
    };
    stash();
    expect(await repository.movesOf(stash)).toEqual([
      expect.stringMatching(/made a git stash .*`git stash pop`/),
    ]);
    const stashes = repository.git('rev-parse', 'stash@{0}', 'stash@{1}').split('\n');
    const moves = await repository.movesOf(() => repository.git('stash', 'drop', '-q', 'stash@{1}'));
    expect(moves).toEqual([expect.stringContaining(`dropped a git stash (${stashes[1]?.slice(0, 7)})`)]);
    repository.undo(moves[0]);
    expect(repository.git('rev-parse', 'stash@{0}')).toBe(`${stashes[1]}\n`);
  });

  it.each(['2', '3', '4'])(
    'what is staged counts, and a refresh of times does not (index version %s)',
    async (version) => {
      repository.commit('1');
      repository.git('update-index', '--index-version', version);
      if (version === '3') {
        writeFileSync(join(repository.folder, 'b'), 'b');
        repository.git('add', '-N', 'b');
      }
      const refresh = await repository.movesOf(() => {
        execFileSync('touch', ['-d', '2001-01-01', join(repository.folder, 'a')]);
        repository.git('status');
      });
      expect(refresh).toEqual([]);
      appendFileSync(join(repository.folder, 'a'), 'more');
      expect(await repository.movesOf(() => repository.git('add', 'a'))).toEqual([
        expect.stringContaining('has staged'),
      ]);
    },
  );

  it('what is staged counts beside a new tag, and in a repository of the longer names', async () => {
    repository = await newRepository('--object-format=sha256');
    repository.commit('1');
    const refresh = await repository.movesOf(() => {
      execFileSync('touch', ['-d', '2001-01-01', join(repository.folder, 'a')]);
      repository.git('status');
    });
    expect(refresh).toEqual([]);
    const moves = await repository.movesOf(() => {
      appendFileSync(join(repository.folder, 'a'), 'more');
      repository.git('add', 'a');
      repository.git('tag', 'v1');
    });
    expect(moves).toEqual([expect.stringContaining('git tag v1'), expect.stringContaining('has staged')]);
  });

  it('branches that are kept in tables are seen to change', async () => {
    repository.commit('1');
    mkdirSync(join(repository.folder, '.git', 'reftable'));
    const table = join(repository.folder, '.git', 'reftable', 'tables.list');
    writeFileSync(table, '0x01.ref\n');
    const moves = await repository.movesOf(() => writeFileSync(table, '0x01.ref\n0x02.ref\n'));
    expect(moves).toEqual([expect.stringContaining('changed branches, tags or stashes of git')]);
  });

  it('many moves are counted', async () => {
    repository.commit('1');
    const moves = await repository.movesOf(() => {
      for (let n = 10; n < 35; n += 1) repository.git('branch', `b${n}`);
    });
    expect(moves).toHaveLength(11);
    expect(moves.at(-1)).toContain('15 more');
  });
});
