/** Runs a shell command in the folder: with an environment by allow-list, a time limit, and an end for all it started. */

import { childEnvironment } from '../../base/child-environment.ts';
import { type ProcessTree, spawnTree } from '../../base/process-tree.ts';
import type { CommandResult } from '../types.ts';
import { CapturedOutput } from './captured-output.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MOST_OUTPUT_CHARACTERS = 200_000;

export interface CommandRequest {
  /** Real, absolute path of the folder. */
  readonly root: string;
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

/**
 * However it ends, nothing that the command started runs on, also not in the background: it would write after the turn. Throws
 * AppError `command-failed` when there is no shell to start.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const startedAtMs = performance.now();
  const tree = await start(request);
  const output = new CapturedOutput(MOST_OUTPUT_CHARACTERS, request.onOutput ?? (() => undefined));
  for (const stream of [tree.stdout, tree.stderr]) stream.on('data', output.stream());
  const cutShort = await endOrCut(tree, request);
  await tree.kill();
  const { exitCode, signal } = await tree.ended;
  return {
    exitCode,
    signal,
    timedOut: cutShort === 'timeout',
    stopped: cutShort === 'stop',
    output: output.text,
    truncated: output.isTruncated,
    durationMs: performance.now() - startedAtMs,
  };
}

function start({ root, command, environment }: CommandRequest): Promise<ProcessTree> {
  const isWindows = process.platform === 'win32';
  const shell = isWindows
    ? [environment.COMSPEC ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
    : ['/bin/sh', '-c', command];
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
    const timer = setTimeout(() => resolve('timeout'), timeoutMs);
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
