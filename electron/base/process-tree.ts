/**
 * Starts a program so that everything it starts can be ended with it, also what left its process group: a command must
 * not change files after its turn has ended.
 *
 * Members of a tree are: the first process, its session and group, whoever carries the tree's mark in its environment
 * (setsid, nohup, double forks), and whoever descends from one of these. A process that leaves the session, loses its
 * parents and clears its environment, all three, is not found; nor, on Windows, what outlives the first process.
 */

import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as letOthersWork } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { type ProcessRow, processTable, startOf } from './process-table.ts';

export interface SpawnTreeOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: nothing can be read. */
  readonly stdin?: 'ignore' | 'pipe';
  /** For cmd.exe, whose quoting is not that of other programs. */
  readonly windowsVerbatimArguments?: boolean;
}

export interface TreeEnd {
  /** null when the first process was ended by a signal, or is a survivor. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Ids of processes that could not be ended (another user's, or stuck in the kernel); almost always empty. */
  readonly survivors: readonly number[];
}

export interface ProcessTree {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * The first process has ended, what it left behind has been ended, and the output was read; or all of that was tried in
   * vain. Never rejects.
   */
  readonly ended: Promise<TreeEnd>;
  /** SIGTERM to all, SIGKILL to those left after a grace. Resolves when the tree has ended. */
  kill(): Promise<void>;
}

const MARK_NAME = 'OSFOUNDRY_REWIND_TREE';
const GRACE_MS = 1500;
/** After SIGKILL: how long the kernel may take before a process counts as one that can't be ended. */
const GIVE_UP_MS = 3000;
const LOOK_AGAIN_MS = 20;
/** How long a look at all processes may keep everything else waiting. */
const WORK_MS = 5;
/** Somebody who was not found may hold the output open for ever. */
const DRAIN_MS = 1000;

const running = new Set<Tree>();

/** Throws AppError `command-failed` when the program can't be started. */
export async function spawnTree(command: readonly string[], options: SpawnTreeOptions): Promise<ProcessTree> {
  const [program = '', ...words] = command;
  const { cwd, env, stdin = 'ignore', windowsVerbatimArguments = false } = options;
  // An app that runs inside of another's command keeps the outer mark, so that the outer one finds these, too.
  const mark = randomUUID();
  const outer = process.env[MARK_NAME];
  const marks = outer === undefined ? mark : `${outer},${mark}`;
  const spawnOptions: SpawnOptions = {
    cwd,
    env: { ...env, [MARK_NAME]: marks },
    stdio: [stdin, 'pipe', 'pipe'],
    // A session of its own on POSIX; on Windows it would be a console window of its own.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments,
  };
  try {
    const child = spawn(program, words, spawnOptions);
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return new Tree(child, mark);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('command-failed', `${program} could not be started (${why}).`, { cause });
  }
}

/** The last resort of a program that ends now: SIGKILL to every tree, without waiting. Also done by itself at exit. */
export function killTreesAtExit(): void {
  for (const tree of running) tree.killNow();
}

process.on('exit', killTreesAtExit);

class Tree implements ProcessTree {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<TreeEnd>;
  readonly #mark: string;
  readonly #start: number;
  #sweeping: Promise<readonly number[]> | null = null;
  #giveUp: (survivors: readonly number[]) => void = () => undefined;
  #hasFirstEnded = false;

  constructor(child: ChildProcess, mark: string) {
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || stdout === null || stderr === null) {
      throw new AppError('internal', 'A process was started without an id or without pipes.');
    }
    this.pid = pid;
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#mark = mark;
    this.#start = startOf(pid);
    // Whoever writes to a program that has ended gets its end from `ended`.
    stdin?.on('error', () => undefined);
    running.add(this);
    this.ended = this.#untilEnd(child);
  }

  async kill(): Promise<void> {
    if (!running.has(this)) return;
    const survivors = await this.#sweep();
    if (survivors.includes(this.pid)) this.#giveUp(survivors);
    await this.ended;
  }

  /** Again and again: between a look and a kill others may have been started. */
  killNow(): void {
    if (process.platform === 'win32') {
      attempt(() => execFileSync('taskkill', taskkillWords(this.pid), { stdio: 'ignore' }));
      return;
    }
    for (let round = 0; round < 20; round += 1) {
      const members = this.#membersOf([...processTable(this.#mark, this.#start)]);
      if (members.length === 0) return;
      signalAll(idsOf(members), 'SIGKILL');
    }
  }

  async #untilEnd(child: ChildProcess): Promise<TreeEnd> {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = await new Promise<TreeEnd>((resolve) => {
      child.once('exit', (exitCode, signal) => {
        this.#hasFirstEnded = true;
        void this.#sweep().then((survivors) => resolve({ exitCode, signal, survivors }));
      });
      this.#giveUp = (survivors) => resolve({ exitCode: null, signal: null, survivors });
    });
    running.delete(this);
    const drained = new AbortController();
    const tooLong = delay(DRAIN_MS, undefined, { signal: drained.signal }).catch(() => undefined);
    await Promise.race([closed, tooLong]);
    drained.abort();
    this.stdout.destroy();
    this.stderr.destroy();
    return end;
  }

  /** One at a time; whoever comes while one runs waits for it. */
  #sweep(): Promise<readonly number[]> {
    this.#sweeping ??= this.#endAll().finally(() => {
      this.#sweeping = null;
    });
    return this.#sweeping;
  }

  async #endAll(): Promise<readonly number[]> {
    if (process.platform === 'win32') {
      // Fails where the first process has ended, and its children can't be told from others any more.
      await promisify(execFile)('taskkill', taskkillWords(this.pid)).catch(() => undefined);
      return [];
    }
    const begin = performance.now();
    // First a look, since who hides is known only by parents that are still there.
    let members = await this.#look();
    // Only once, and only to those who are there now: what a program starts to clean up may finish. A signal to the group
    // also reaches those who were started during the look.
    const group = this.#hasFirstEnded ? null : this.pid;
    if (group !== null) signalAll([-group], 'SIGTERM');
    signalAll(idsOf(members.filter((member) => member.group !== group)), 'SIGTERM');
    while (members.length > 0) {
      const waited = performance.now() - begin;
      if (waited > GRACE_MS + GIVE_UP_MS) break;
      if (waited > GRACE_MS) signalAll(idsOf(members), 'SIGKILL');
      await delay(LOOK_AGAIN_MS);
      members = await this.#look();
    }
    return idsOf(members);
  }

  async #look(): Promise<ProcessRow[]> {
    const rows: ProcessRow[] = [];
    let begin = performance.now();
    for (const row of processTable(this.#mark, this.#start)) {
      rows.push(row);
      if (performance.now() - begin < WORK_MS) continue;
      await letOthersWork();
      begin = performance.now();
    }
    return this.#membersOf(rows);
  }

  #membersOf(rows: readonly ProcessRow[]): ProcessRow[] {
    const { pid: first } = this;
    const members = new Set<number>();
    for (const { isMarked, pid, group, session } of rows) {
      if (isMarked || [pid, group, session].includes(first)) members.add(pid);
    }
    let before: number;
    do {
      before = members.size;
      for (const { pid, parent } of rows) if (members.has(parent)) members.add(pid);
    } while (members.size > before);
    return rows.filter(({ pid }) => members.has(pid) && pid !== process.pid);
  }
}

const idsOf = (rows: readonly ProcessRow[]): number[] => rows.map(({ pid }) => pid);

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  // It may have ended since it was seen, or belong to another user now; then it shows up again at the next look.
  for (const pid of pids) attempt(() => process.kill(pid, signal));
}

function attempt(task: () => unknown): void {
  try {
    task();
  } catch {
    // Whoever asks looks at what is left, not at what each try said.
  }
}

const taskkillWords = (pid: number): string[] => ['/PID', String(pid), '/T', '/F'];
