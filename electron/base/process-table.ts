/** Lists the processes of the machine, with what tells which tree they belong to. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the platform doesn't say. */
  readonly session: number;
  /** Whether its environment holds the mark; false where it can't be read (another user's process). */
  readonly isMarked: boolean;
}

/**
 * One at a time, so that whoever may wait can let others work in between. Empty on Windows, where trees are ended by the
 * system's own tool. Processes that ended are not in it; those that began before `since` can't carry the mark.
 */
export function* processTable(mark: string, since: number): Generator<ProcessRow> {
  if (process.platform === 'linux') yield* fromProc(mark, since);
  else if (process.platform !== 'win32') yield* fromPs(mark);
}

/** When a process began, in ticks since the machine started; 0 where the platform doesn't say, or it has ended. */
export const startOf = (pid: number): number =>
  process.platform === 'linux' ? (statOf(String(pid))?.start ?? 0) : 0;

function* fromProc(mark: string, since: number): Generator<ProcessRow> {
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat === null || stat.hasEnded) continue;
    yield { ...stat, isMarked: stat.start >= since && read(`/proc/${name}/environ`).includes(mark) };
  }
}

function statOf(pid: string) {
  const text = read(`/proc/${pid}/stat`);
  // The program's name comes second, in brackets, and may itself hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === undefined || session === undefined) return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: Number(fields[19]),
    // A zombie waits only for its parent to notice; in some containers nobody ever does.
    hasEnded: state === 'Z' || state === 'X',
  };
}

/** The process may have ended since it was listed. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** `-E` adds the environment of the person's own processes to the command. */
function* fromPs(mark: string): Generator<ProcessRow> {
  const columns = ['pid=', 'ppid=', 'pgid=', 'stat=', 'command='].flatMap((column) => ['-o', column]);
  const text = execFileSync('ps', ['-A', '-E', '-ww', ...columns], {
    encoding: 'latin1',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (const line of text.split('\n')) {
    const [pid, parent, group, state] = line.trim().split(/\s+/, 4);
    if (state === undefined || state.startsWith('Z')) continue;
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    yield { ...ids, session: 0, isMarked: line.includes(mark) };
  }
}
