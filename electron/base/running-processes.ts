/** The processes of this machine as Linux shows them under /proc. */

import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Its environment, as it was started, holds the asked text. */
  readonly hasToken: boolean;
}

/** null where there is no /proc. Processes that have ended and wait for their parent are left out. */
export function runningProcesses(token: string): ProcessFacts[] | null {
  if (process.platform !== 'linux') return null;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const facts = factsOf(Number(name), token);
    return facts === null ? [] : [facts];
  });
}

function factsOf(pid: number, token: string): ProcessFacts | null {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return null;
  // The name stands in parentheses and may hold anything, so what follows begins after the last one.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    hasToken: read(`/proc/${pid}/environ`)?.includes(token) ?? false,
  };
}

/** A process ends at any moment, and others' environments are closed to us. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
