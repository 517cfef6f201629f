/** Reads an untrusted tool call, and names it in one line for people. */

import { AppError } from '../../../shared/errors.ts';
import { type ToolCall, type ToolName, toolCallSchema, toolInputs } from './schemas.ts';

export const isToolName = (name: string): name is ToolName => Object.hasOwn(toolInputs, name);

/** Throws AppError `tool-unknown` or `tool-bad-input`, with what the agent should give instead. */
export function parseToolCall(name: string, input: unknown): ToolCall {
  if (!isToolName(name)) {
    throw new AppError(
      'tool-unknown',
      `There is no tool ${JSON.stringify(name)}; the tools are ${Object.keys(toolInputs).join(', ')}.`,
    );
  }
  const fields = typeof input === 'object' && input !== null ? input : {};
  const parsed = toolCallSchema.safeParse({ ...fields, tool: name });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new AppError('tool-bad-input', `${name} can't be called like this: ${problems.join('; ')}.`);
}

/** `write notes.md`, `npm test`. */
export function titleOf(call: ToolCall): string {
  switch (call.tool) {
    case 'read_file':
      return `read ${call.path}`;
    case 'write_file':
      return `write ${call.path}`;
    case 'edit_file':
      return `edit ${call.path}`;
    case 'delete_file':
      return `delete ${call.path}`;
    case 'move_file':
      return `move ${call.from} to ${call.to}`;
    case 'create_directory':
      return `make folder ${call.path}`;
    case 'set_executable':
      return `make ${call.path} ${call.executable ? 'executable' : 'not executable'}`;
    case 'list_files':
      return `list ${[call.path, call.glob].filter((part) => part !== undefined).join(' ') || 'files'}`;
    case 'search_text':
      return `search ${call.pattern}${call.path === undefined ? '' : ` in ${call.path}`}`;
    case 'run_command':
      return call.command;
  }
}

/** The whole new content of a file. The schema lets exactly one of text and base64 through. */
export const writtenBytes = (call: Extract<ToolCall, { tool: 'write_file' }>): Uint8Array =>
  call.content === undefined
    ? Buffer.from(call.contentBase64 ?? '', 'base64')
    : Buffer.from(call.content, 'utf8');
