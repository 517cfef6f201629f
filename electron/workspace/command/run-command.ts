/** Runs a shell command in the folder: with an environment by allow-list, a time limit, and an end for all it started. */

import { stat } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';
import { childEnvironment } from '../../base/child-environment.ts';
import { type ProcessTree, spawnTree } from '../../base/process-tree.ts';
import type { CommandResult } from '../types.ts';
import { CapturedOutput } from './captured-output.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;
/** About what a model can still read at once. */
const MOST_OUTPUT_CHARACTERS = 64_000;
/** Both streams in one pipe: from two of them nobody can tell what was printed first. */
const IN_ONE_PIPE = 'exec /bin/sh -c "$1" 2>&1';

export interface CommandRequest {
  /** Real, absolute path of the folder. */
  readonly root: string;
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Default 120 s, at most 10 minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Hears the output while it comes, until it is more than half of what is kept. */
  readonly onOutput?: (text: string) => void;
  /** Of the result; the middle of longer output is left out. */
  readonly mostOutputCharacters?: number;
}

/**
 * However it ends, nothing that the command started runs on, also not in the background: it would write after the turn. Throws
 * AppError `folder-not-found`, and `command-failed` when the shell can't be started.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const startedAtMs = performance.now();
  const tree = await start(request);
  const { mostOutputCharacters = MOST_OUTPUT_CHARACTERS, onOutput = () => undefined } = request;
  const captured = new CapturedOutput(mostOutputCharacters, onOutput);
  for (const stream of [tree.stdout, tree.stderr]) stream.on('data', captured.stream());
  const cutShort = await endOrCut(tree, request);
  await tree.kill();
  const { exitCode, signal, survivors } = await tree.ended;
  const { text, isTruncated } = captured.end();
  return {
    exitCode,
    signal,
    timedOut: cutShort === 'timeout',
    stopped: cutShort === 'stop',
    output: survivors.length === 0 ? text : `${text}\n${stillRunning(survivors)}`,
    truncated: isTruncated,
    durationMs: performance.now() - startedAtMs,
  };
}

async function start({ root, command, environment }: CommandRequest): Promise<ProcessTree> {
  // The system says the same of a missing folder and of a missing shell.
  const isThere = await stat(root).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isThere) throw new AppError('folder-not-found', `The folder ${root} is not there any more.`);
  const isWindows = process.platform === 'win32';
  const shell = isWindows
    ? [environment.COMSPEC ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
    : ['/bin/sh', '-c', IN_ONE_PIPE, 'sh', command];
  return spawnTree(shell, {
    cwd: root,
    env: childEnvironment(environment),
    windowsVerbatimArguments: isWindows,
  });
}

/** Resolves when the program has ended, or when it has to. */
async function endOrCut(tree: ProcessTree, request: CommandRequest): Promise<'timeout' | 'stop' | null> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request;
  let cleanUp = (): void => undefined;
  const cut = new Promise<'timeout' | 'stop'>((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
    const stop = (): void => resolve('stop');
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
  });
  try {
    return await Promise.race([tree.ended.then(() => null), cut]);
  } finally {
    cleanUp();
  }
}

/** Another user's, for example after sudo. */
const stillRunning = (pids: readonly number[]): string =>
  `Could not be ended and may still change files: process ${pids.join(', ')}.`;
