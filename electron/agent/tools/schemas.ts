/** The one set of tools that every agent gets: what each takes, what it does in a sentence, and what it may touch. */

import { z } from 'zod';

const path = z
  .string()
  .min(1)
  .max(4096)
  .describe('Path inside the folder, relative to it, with / between components');

export const toolInputs = {
  read_file: z.strictObject({
    path,
    startLine: z.int().min(1).optional().describe('First line to return, counted from 1'),
    maxLines: z.int().min(1).optional().describe('How many lines to return'),
  }),
  write_file: z
    .strictObject({
      path,
      content: z.string().optional().describe('The whole new text, as UTF-8'),
      contentBase64: z.base64().optional().describe('The whole new content when it is not text'),
    })
    .refine(({ content, contentBase64 }) => (content === undefined) !== (contentBase64 === undefined), {
      error: 'give either content or contentBase64',
    }),
  edit_file: z.strictObject({
    path,
    old: z.string().min(1).describe('Exact text to replace; must occur once unless all is true'),
    new: z.string(),
    all: z.boolean().optional().describe('Replace every occurrence'),
  }),
  delete_file: z.strictObject({
    path,
    recursive: z.boolean().optional().describe('Also delete a directory with everything in it'),
  }),
  move_file: z.strictObject({ from: path, to: path }),
  create_directory: z.strictObject({ path }),
  set_executable: z.strictObject({ path, executable: z.boolean() }),
  list_files: z.strictObject({
    path: path.optional().describe('Directory to list; default: the whole folder'),
    glob: z.string().min(1).max(1000).optional().describe('E.g. src/**/*.ts'),
  }),
  search_text: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Regular expression'),
    path: path.optional().describe('File or directory to search; default: the whole folder'),
  }),
  run_command: z.strictObject({
    command: z.string().min(1).max(100_000).describe('A shell command; it runs in the folder'),
    timeoutMs: z
      .int()
      .min(1)
      .max(3_600_000)
      .optional()
      .describe('After this the command is ended; default 120000, at most 600000'),
  }),
} as const;

export type ToolName = keyof typeof toolInputs;

/** `safeExtend` keeps the refinement of write_file. */
export const toolCallSchema = z.discriminatedUnion('tool', [
  toolInputs.read_file.safeExtend({ tool: z.literal('read_file') }),
  toolInputs.write_file.safeExtend({ tool: z.literal('write_file') }),
  toolInputs.edit_file.safeExtend({ tool: z.literal('edit_file') }),
  toolInputs.delete_file.safeExtend({ tool: z.literal('delete_file') }),
  toolInputs.move_file.safeExtend({ tool: z.literal('move_file') }),
  toolInputs.create_directory.safeExtend({ tool: z.literal('create_directory') }),
  toolInputs.set_executable.safeExtend({ tool: z.literal('set_executable') }),
  toolInputs.list_files.safeExtend({ tool: z.literal('list_files') }),
  toolInputs.search_text.safeExtend({ tool: z.literal('search_text') }),
  toolInputs.run_command.safeExtend({ tool: z.literal('run_command') }),
]);

export type ToolCall = z.output<typeof toolCallSchema>;

/** For a model: what each tool does. */
export const toolDescriptions: Readonly<Record<ToolName, string>> = {
  read_file: 'Reads a text file. Long files are cut; ask for more lines with startLine.',
  write_file: 'Creates a file or replaces its whole content. Missing parent directories are made.',
  edit_file: 'Replaces exact text in a file and leaves everything else as it is.',
  delete_file: 'Deletes a file or link, or with recursive a directory.',
  move_file: 'Moves or renames a file or directory.',
  create_directory: 'Makes a directory.',
  set_executable: 'Makes a file executable, or not.',
  list_files: 'Lists files and directories. Dependency folders are left out.',
  search_text: 'Searches files for a regular expression. Dependency folders are left out.',
  run_command: 'Runs a shell command in the folder and returns its output.',
};

/** What a tool may touch; permission modes go by this. */
export type ToolAccess = 'read' | 'write' | 'run';

export const toolAccess: Readonly<Record<ToolName, ToolAccess>> = {
  read_file: 'read',
  write_file: 'write',
  edit_file: 'write',
  delete_file: 'write',
  move_file: 'write',
  create_directory: 'write',
  set_executable: 'write',
  list_files: 'read',
  search_text: 'read',
  run_command: 'run',
};
