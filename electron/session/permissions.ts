/** Whether a call may go ahead: by the mode, and by asking the person where the mode says so. */

import { AppError } from '../../shared/errors.ts';
import type { ApprovalRequest, PermissionMode } from '../../shared/transcript.ts';
import { type ToolCall, toolAccess } from '../agent/index.ts';
import type { Approvals } from './approvals.ts';

type Question = Omit<ApprovalRequest, 'approvalId'>;

export class Permissions {
  readonly #approvals: Approvals;
  readonly #mode: PermissionMode;
  readonly #signal: AbortSignal;

  constructor(approvals: Approvals, mode: PermissionMode, signal: AbortSignal) {
    this.#approvals = approvals;
    this.#mode = mode;
    this.#signal = signal;
  }

  /** Whether a person will be asked about the call, if it was not allowed for the chat before. */
  asksAbout(call: ToolCall): boolean {
    return this.#mode === 'ask' && toolAccess[call.tool] !== 'read';
  }

  /** Throws AppError `tool-denied`, or `cancelled` when the turn was stopped while the question was open. */
  async check(call: ToolCall, question: Question): Promise<void> {
    if (toolAccess[call.tool] === 'read') return;
    await this.#decide(question, scopeOf(call));
  }

  /** The same for a step of an agent that writes by itself. */
  async checkForeign(question: Question): Promise<void> {
    await this.#decide(question, foreignScopeOf(question));
  }

  async #decide(question: Question, scope: string): Promise<void> {
    if (this.#mode === 'full') return;
    if (this.#mode === 'read-only') {
      throw new AppError('tool-denied', `This chat is read-only, so this was not done: ${question.title}.`);
    }
    if (await this.#approvals.ask(question, scope, this.#signal)) return;
    if (this.#signal.aborted) throw new AppError('cancelled', 'The turn was stopped.');
    throw new AppError('tool-denied', `The person did not allow this: ${question.title}.`);
  }
}

/**
 * What "Allow for this chat" covers. A tool that writes: that tool. A command: those very words and no others, since one
 * program (`git`, `sh`, `npm`) can do anything.
 */
const scopeOf = (call: ToolCall): string =>
  call.tool === 'run_command' ? `command ${call.command}` : `tool ${call.tool}`;

function foreignScopeOf({ command, diff, path, title }: Question): string {
  if (command !== undefined) return `command ${command}`;
  return diff !== undefined || path !== undefined ? 'edits of the agent' : `step ${title}`;
}
