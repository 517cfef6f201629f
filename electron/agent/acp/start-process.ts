/** Starts a real external agent: a program with its words and no shell, in the folder, with the environment that it needs. */

import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { AppError } from '../../../shared/errors.ts';
import { childEnvironment } from '../../base/child-environment.ts';
import { spawnTree } from '../../base/process-tree.ts';
import type { StartAgent } from './agent-process.ts';
import { findProgram } from './find-program.ts';
import { LastWords } from './last-words.ts';
import { protocolLines } from './protocol-lines.ts';
import { batchFileCommand } from './windows-command.ts';

export function startAgentProcess(root: string, environment: NodeJS.ProcessEnv): StartAgent {
  return async (command, { inherits, sets }) => {
    const env = { ...childEnvironment(environment, inherits), ...sets };
    const cannotStart = (cause?: unknown): AppError =>
      new AppError(
        'agent-unavailable',
        `${command[0]} could not be started. Check that it is installed, and its command in Settings.`,
        { cause },
      );
    const batch = process.platform === 'win32' ? await batchFileOf(command, environment) : null;
    const tree = await spawnTree(batch ?? command, {
      cwd: root,
      env,
      stdin: 'pipe',
      windowsVerbatimArguments: batch !== null,
    }).catch((error: unknown) => {
      throw cannotStart(error);
    });
    if (tree.stdin === null) throw cannotStart();
    const lastWords = new LastWords();
    tree.stderr.on('data', (bytes: Uint8Array) => lastWords.hear(bytes));
    const said = Readable.toWeb(tree.stdout) as ReadableStream<Uint8Array>;
    return {
      connection: ndJsonStream(
        Writable.toWeb(tree.stdin),
        said.pipeThrough(protocolLines((bytes) => lastWords.hear(bytes))),
      ),
      exited: tree.ended.then(() => lastWords.text),
      kill: () => tree.kill(),
    };
  };
}

/** null: the command is a program, which can be started as it is. */
async function batchFileOf(
  [program = '', ...words]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[] | null> {
  const file = (await findProgram(program, environment)) ?? program;
  return /\.(cmd|bat)$/i.test(file) ? batchFileCommand(file, words, environment.COMSPEC) : null;
}
