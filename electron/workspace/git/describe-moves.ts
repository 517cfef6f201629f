/** Says what happened to a git repository between two looks, and how to undo it by hand: a rewind leaves it alone. Pure. */

import type { GitSnapshot } from './snapshot.ts';

export function describeGitMoves(before: GitSnapshot | null, after: GitSnapshot | null): string[] {
  if (before === null && after === null) return [];
  if (before === null) return ['This turn also made a git repository; a rewind leaves it.'];
  if (after === null) return ['This turn also removed the git repository; a rewind does not bring it back.'];
  const moves = [...headMoves(before, after), ...refMoves(before, after)];
  if (moves.length > 0) return moves;
  // Each of the moves above changes the index, too.
  return before.index === after.index
    ? []
    : ['This turn also changed what git has staged; a rewind leaves that (`git status` shows it).'];
}

function headMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  if (before.branch !== after.branch) {
    const from = before.branch === null ? short(before.commit) : nameOf(before.branch);
    const to = after.branch === null ? `the commit ${short(after.commit)}` : nameOf(after.branch);
    return [
      `This turn also switched git from ${from} to ${to}; a rewind leaves that. To switch back: \`git switch ${before.branch === null ? '--detach ' : ''}${from}\`.`,
    ];
  }
  if (before.commit === after.commit || after.commit === null) return [];
  const move = `${short(before.commit)} -> ${short(after.commit)}`;
  const undo =
    before.commit === null
      ? `\`git update-ref -d ${after.branch ?? 'HEAD'}\``
      : `\`git reset --soft ${short(before.commit)}\``;
  const where = after.branch === null ? '' : ` on ${nameOf(after.branch)}`;
  return [
    `This turn also moved git${where}: ${move} (a commit, for example); a rewind leaves it. To undo it: ${undo}.`,
  ];
}

function refMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  const moves: string[] = [];
  for (const name of [...new Set([...before.refs.keys(), ...after.refs.keys()])].sort()) {
    const [from, to] = [before.refs.get(name), after.refs.get(name)];
    const isHead = name === after.branch && name === before.branch;
    if (from !== to && !isHead) moves.push(refMove(name, from, to));
  }
  return moves;
}

function refMove(name: string, from: string | undefined, to: string | undefined): string {
  if (name === STASH) {
    if (from === undefined)
      return 'This turn also made a git stash; a rewind leaves it. To get it back: `git stash pop`.';
    return `This turn also changed the git stash; a rewind leaves it. Its newest entry was ${short(from)}: \`git stash apply ${short(from)}\`.`;
  }
  const [what, remove] = name.startsWith('refs/tags/') ? ['tag', 'git tag -d'] : ['branch', 'git branch -D'];
  const shown = nameOf(name);
  if (from === undefined) {
    return `This turn also made the git ${what} ${shown}; a rewind leaves it. To remove it: \`${remove} ${shown}\`.`;
  }
  if (to === undefined) {
    return `This turn also removed the git ${what} ${shown}; a rewind does not bring it back. To make it again: \`git ${what} ${shown} ${short(from)}\`.`;
  }
  return `This turn also moved the git ${what} ${shown}: ${short(from)} -> ${short(to)}; a rewind leaves it. To move it back: \`git ${what} -f ${shown} ${short(from)}\`.`;
}

const STASH = 'refs/stash';

const nameOf = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

const short = (object: string | null): string => object?.slice(0, 7) ?? 'no commit';
