/** The tool set: strict inputs, one line for people, and what each tool may touch. */

import { describe, expect, it } from 'vitest';
import {
  parseToolCall,
  titleOf,
  toolAccess,
  toolDescriptions,
  toolInputs,
} from '../../electron/agent/index.ts';
import { AppError } from '../../shared/errors.ts';

const refusal = (name: string, input: unknown): AppError => {
  try {
    parseToolCall(name, input);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('tool calls', () => {
  it.each([
    ['read_file', { path: 'a b.txt' }, 'read a b.txt'],
    ['write_file', { path: 'notes.md', content: '' }, 'write notes.md'],
    ['write_file', { path: 'x.png', contentBase64: 'AAE=' }, 'write x.png'],
    ['edit_file', { path: 'a', old: 'x', new: '' }, 'edit a'],
    ['delete_file', { path: 'a', recursive: true }, 'delete a'],
    ['move_file', { from: 'a', to: 'b' }, 'move a to b'],
    ['create_directory', { path: 'd' }, 'make folder d'],
    ['set_executable', { path: 'run.sh', executable: true }, 'make run.sh executable'],
    ['list_files', {}, 'list files'],
    ['list_files', { path: 'src', glob: '*.ts' }, 'list src *.ts'],
    ['search_text', { pattern: 'TODO', path: 'src' }, 'search TODO in src'],
    ['run_command', { command: 'npm test' }, 'npm test'],
  ])('reads %s %j', (name, input, title) => {
    const call = parseToolCall(name, input);
    expect(call).toEqual({ tool: name, ...input });
    expect(titleOf(call)).toBe(title);
  });

  it.each([
    ['write_file', { path: 'a' }, 'give either content or contentBase64'],
    ['write_file', { path: 'a', content: '', contentBase64: '' }, 'give either content or contentBase64'],
    ['write_file', { path: 'a', contentBase64: '%' }, 'contentBase64'],
    ['edit_file', { path: 'a', old: '', new: 'x' }, 'old'],
    ['read_file', {}, 'path'],
    ['read_file', { path: 'a', extra: 1 }, 'extra'],
    ['read_file', 'a', 'path'],
    ['run_command', null, 'command'],
  ])('refuses %s %j and says what is wrong', (name, input, part) => {
    const error = refusal(name, input);
    expect(error.code).toBe('tool-bad-input');
    expect(error.message).toContain(part);
  });

  it.each(['nope', 'toString', '__proto__'])('knows no tool %s', (name) => {
    expect(refusal(name, {}).code).toBe('tool-unknown');
  });

  it('says of every tool what it does and what it may touch', () => {
    expect(Object.keys(toolDescriptions).sort()).toEqual(Object.keys(toolInputs).sort());
    expect(Object.keys(toolAccess).sort()).toEqual(Object.keys(toolInputs).sort());
  });
});
