/** Says what happened to a git repository between two looks, and how to undo it by hand: a rewind leaves it alone. Pure. */

import { inShell, type ObjectName, shortObject, shortRef } from './names.ts';
import type { GitSnapshot } from './snapshot.ts';

const MOST_MOVES = 10;

export function describeGitMoves(before: GitSnapshot | null, after: GitSnapshot | null): string[] {
  if (before?.gitFolder !== after?.gitFolder) {
    return [
      after === null
        ? 'This turn also removed the git repository; a rewind does not bring it back.'
        : 'This turn also made a git repository; a rewind leaves it. To undo it: delete the folder .git.',
    ];
  }
  if (before === null || after === null) return [];
  const withIndex = [...headMoves(before, after), ...stashMoves(before, after)];
  const moves = [
    ...withIndex,
    ...refMoves(before, after),
    ...tableMoves(before, after),
    // A commit, a switch and a stash change what is staged by nature.
    ...(withIndex.length === 0 ? indexMoves(before, after) : []),
  ];
  if (moves.length <= MOST_MOVES) return moves;
  const more = `This turn also changed ${moves.length - MOST_MOVES} more branches, tags or stashes of git.`;
  return [...moves.slice(0, MOST_MOVES), more];
}

function headMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  if (before.branch !== after.branch) return [switched(before, after)];
  if (before.commit === after.commit || (before.branch === null && after.commit === null)) return [];
  const undo =
    before.commit === null
      ? `git update-ref -d ${inShell(before.branch ?? 'HEAD')}`
      : `git reset --soft ${shortObject(before.commit)}`;
  const move = `${shortObject(before.commit)} -> ${shortObject(after.commit)}`;
  return [
    `This turn also ${whatMoved(before, after)}: ${move}; a rewind leaves it. To undo it: \`${undo}\`.`,
  ];
}

/** `reset` and not `switch`: the files are put back by the rewind, and git must not touch them again. */
function switched(before: GitSnapshot, after: GitSnapshot): string {
  const [from, to] = [before, after].map(({ branch, commit }) =>
    branch === null ? `the commit ${shortObject(commit)}` : shortRef(branch),
  );
  const undo =
    before.branch === null
      ? `git update-ref --no-deref HEAD ${shortObject(before.commit)}`
      : `git symbolic-ref HEAD ${inShell(before.branch)}`;
  return `This turn also switched git from ${from} to ${to}; a rewind leaves that. To undo it without changing files: \`${undo} && git reset\`.`;
}

/** A commit where git wrote down nothing else; anything may have been done by hand. */
function whatMoved({ headLog }: GitSnapshot, after: GitSnapshot): string {
  const added = after.headLog.bytes - headLog.bytes;
  const end = Buffer.from(after.headLog.end);
  const lines = end
    .subarray(Math.max(0, end.length - added))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const isCommits = added > 0 && added <= end.length && lines.every((line) => /\tcommit[:( ]/.test(line));
  const where = after.branch === null ? '' : ` on ${shortRef(after.branch)}`;
  if (!isCommits) return `moved git${where}`;
  if (lines.length === 1)
    return `${/\tcommit \(amend\)/.test(end.toString()) ? 'amended' : 'made'} a commit${where}`;
  return `made ${lines.length} commits${where}`;
}

function refMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  const names = [...new Set([...before.refs.keys(), ...after.refs.keys()])].sort();
  return names.flatMap((name) => {
    const [from, to] = [before.refs.get(name), after.refs.get(name)];
    const isHead = name === after.branch && name === before.branch;
    return from === to || isHead ? [] : [refMove(name, from, to)];
  });
}

function refMove(name: string, from: ObjectName | undefined, to: ObjectName | undefined): string {
  const isTag = name.startsWith('refs/tags/');
  const shown = `the git ${isTag ? 'tag' : 'branch'} ${shortRef(name)}`;
  const short = inShell(shortRef(name));
  if (from === undefined) {
    const undo = `git ${isTag ? 'tag -d' : 'branch -D'} ${short}`;
    return `This turn also made ${shown}; a rewind leaves it. To undo it: \`${undo}\`.`;
  }
  const undo = `git update-ref ${inShell(name)} ${shortObject(from)}`;
  if (to === undefined) {
    return `This turn also removed ${shown}; a rewind does not bring it back. To undo it: \`${undo}\`.`;
  }
  const move = `${shortObject(from)} -> ${shortObject(to)}`;
  return `This turn also moved ${shown}: ${move}; a rewind leaves it. To undo it: \`${undo}\`.`;
}

function stashMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  const made = after.stashes.filter((stash) => !before.stashes.includes(stash));
  const dropped = before.stashes.filter((stash) => !after.stashes.includes(stash));
  return [
    ...made.map(
      (stash) =>
        `This turn also made a git stash (${shortObject(stash)}); a rewind leaves it. To get it back without a rewind: \`git stash pop\`; after one: \`git stash drop\`.`,
    ),
    ...dropped.map(
      (stash) =>
        `This turn also dropped a git stash (${shortObject(stash)}); a rewind does not bring it back. To undo it: \`git stash store ${shortObject(stash)}\`.`,
    ),
  ];
}

const tableMoves = (before: GitSnapshot, after: GitSnapshot): string[] =>
  before.tables === after.tables
    ? []
    : [
        'This turn also changed branches, tags or stashes of git; a rewind leaves that (`git reflog` shows it).',
      ];

function indexMoves(before: GitSnapshot, after: GitSnapshot): string[] {
  if (before.index === after.index) return [];
  const undo = after.commit === null ? 'git rm -r --cached .' : 'git restore --staged .';
  return [
    `This turn also changed what git has staged; a rewind leaves that. To see it: \`git status\`; to unstage everything: \`${undo}\`.`,
  ];
}
