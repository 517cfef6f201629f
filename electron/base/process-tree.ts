/**
 * Starts a program so that it can be ended with everything it started, also what left its process group: on Linux each child
 * inherits a token in its environment, by which it is found under /proc.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isSystemError } from './io-errors.ts';
import { type ProcessFacts, runningProcesses } from './running-processes.ts';

const TOKEN_NAME = 'OSFOUNDRY_REWIND_TREE';
/** A program that was asked to end has this long to do so by itself. */
const GRACE_MS = 1500;
const LOOK_EVERY_MS = 50;
/** A process that even SIGKILL does not end at once waits for a device; nobody can do more. */
const KILL_PATIENCE_MS = 5000;

export interface SpawnTreeOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: 'ignore' | 'pipe';
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessTree {
  readonly child: ChildProcess;
  /** When the program itself has ended; what it left running may still run. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends everything that is left: first politely, then by force. Resolves when it is over. */
  kill(): Promise<void>;
}

const running = new Map<ChildProcess, string>();

/** No shell. Rejects with the system's error when the program can't be started. */
export function spawnTree(
  program: string,
  words: readonly string[],
  { cwd, env, stdin }: SpawnTreeOptions,
): Promise<ProcessTree> {
  const token = randomUUID();
  const child = spawn(program, words, {
    cwd,
    env: { ...env, [TOKEN_NAME]: token },
    stdio: [stdin, 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  running.set(child, token);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('spawn', () => resolve({ child, ended, kill: () => killTree(child, token) }));
  });
}

/** The last resort when this process ends: nothing that was started outlives it. */
function killRunningTrees(): void {
  for (const [child, token] of running) signalAll(membersOf(child, token), child, 'SIGKILL');
}

async function killTree(child: ChildProcess, token: string): Promise<void> {
  if (process.platform === 'win32') {
    await promisify(execFile)('taskkill', ['/PID', String(child.pid), '/T', '/F']).catch(() => undefined);
  } else {
    await endAll(child, token);
  }
  running.delete(child);
}

async function endAll(child: ChildProcess, token: string): Promise<void> {
  const politeUntilMs = performance.now() + GRACE_MS;
  const untilMs = politeUntilMs + KILL_PATIENCE_MS;
  const asked = new Set<number>();
  for (;;) {
    const members = membersOf(child, token);
    if (members.length === 0 || performance.now() > untilMs) return;
    const isOver = performance.now() >= politeUntilMs;
    // What is started while the others end is asked, too.
    const toSignal = isOver ? members : members.filter((pid) => !asked.has(pid));
    for (const pid of toSignal) asked.add(pid);
    signalAll(toSignal, child, isOver ? 'SIGKILL' : 'SIGTERM');
    await wait(LOOK_EVERY_MS);
  }
}

/** Who belongs to the tree: by the token, by the group or session of the program, or by a parent that belongs to it. */
function membersOf(child: ChildProcess, token: string): number[] {
  const root = child.pid;
  if (root === undefined) return [];
  const processes = runningProcesses(`${TOKEN_NAME}=${token}`);
  if (processes === null) return isGroupAlive(root) ? [root] : [];
  const members = new Set<number>();
  const belongs = ({ hasToken, group, session, parent }: ProcessFacts): boolean =>
    hasToken || group === root || session === root || members.has(parent);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const facts of processes) if (!members.has(facts.pid) && belongs(facts)) members.add(facts.pid);
  }
  return [...members];
}

function signalAll(pids: readonly number[], child: ChildProcess, signal: NodeJS.Signals): void {
  const root = child.pid;
  if (root === undefined) return;
  for (const target of [-root, ...pids]) {
    try {
      process.kill(target, signal);
    } catch (error) {
      // It has ended by itself; or it runs as somebody else (sudo) and is not ours to end.
      if (!isSystemError(error, 'ESRCH', 'EPERM')) throw error;
    }
  }
}

function isGroupAlive(root: number): boolean {
  try {
    process.kill(-root, 0);
    return true;
  } catch {
    return false;
  }
}

process.on('exit', killRunningTrees);
