/** Runs a command for an agent, and says how it ended. */

import { AppError, type ErrorInfo } from '../../shared/errors.ts';
import type { ToolCall } from '../agent/index.ts';
import { type CommandResult, runCommand } from '../workspace/index.ts';
import type { ToolOutcome } from './tool-executor.ts';

type CommandCall = Extract<ToolCall, { tool: 'run_command' }>;

/** Throws AppError `cancelled` when Stop ended it. */
export async function runCommandFor(
  root: string,
  { command, timeoutMs }: CommandCall,
  onOutput: (delta: string) => void,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const result = await runCommand({
    root,
    command,
    environment: process.env,
    onOutput,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (result.stopped) throw new AppError('cancelled', 'The command was stopped.');
  const failure = failureOf(result);
  if (failure === null) return { ok: true, output: result.output };
  return { ok: false, output: `${result.output}\n${failure.message}`.trimStart(), error: failure };
}

function failureOf({ exitCode, signal, timedOut, durationMs }: CommandResult): ErrorInfo | null {
  if (timedOut) {
    const seconds = Math.round(durationMs / 1000);
    return { code: 'command-timeout', message: `The command was ended after ${seconds} s, its time limit.` };
  }
  if (exitCode === 0) return null;
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return { code: 'command-failed', message: `The command ${how}.` };
}
