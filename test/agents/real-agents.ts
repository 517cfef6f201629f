/** The external agents that are tried for real: where they come from, how each is pointed at the stub, and what its own tools are called. */

import type { StubAnswer, StubModelServer } from '../helpers/stub-model-server.ts';

export interface RealAgent {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** In node_modules/.bin, with its arguments. */
  readonly command: readonly [program: string, ...words: string[]];
  environment(stub: StubModelServer): Readonly<Record<string, string>>;
  /** Its settings, by their paths in the person's home folder. */
  settings(stub: StubModelServer): Readonly<Record<string, unknown>>;
  /** The calls of its own tools, as its model would make them; paths are absolute. */
  read(path: string): StubAnswer;
  edit(path: string, before: string, after: string): StubAnswer;
  write(path: string, content: string): StubAnswer;
  shell(command: string): StubAnswer;
}

const call = (name: string, input: Record<string, unknown>): StubAnswer => ({ calls: [{ name, input }] });

const qwenCode: RealAgent = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.15.10',
  command: ['qwen', '--acp'],
  environment: (stub) => ({
    OPENAI_API_KEY: 'stub-key',
    OPENAI_BASE_URL: stub.addressFor('openai-compatible'),
    OPENAI_MODEL: 'stub-model',
  }),
  settings: () => ({}),
  read: (file_path) => call('read_file', { file_path }),
  edit: (file_path, old_string, new_string) => call('edit', { file_path, old_string, new_string }),
  write: (file_path, content) => call('write_file', { file_path, content }),
  shell: (command) => call('run_shell_command', { command, description: 'as asked', is_background: false }),
};

const geminiCli: RealAgent = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  command: ['gemini', '--acp'],
  environment: (stub) => ({
    GEMINI_API_KEY: 'stub-key',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${stub.port}`,
    // With a fixed model it does not ask another one which to take.
    GEMINI_MODEL: 'gemini-2.5-flash',
  }),
  settings: () => ({}),
  read: (file_path) => call('read_file', { file_path }),
  edit: (file_path, old_string, new_string) =>
    call('replace', { file_path, old_string, new_string, instruction: 'as asked' }),
  write: (file_path, content) => call('write_file', { file_path, content }),
  shell: (command) => call('run_shell_command', { command, description: 'as asked' }),
};

const opencode: RealAgent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  command: ['opencode', 'acp'],
  environment: () => ({}),
  settings: (stub) => ({
    '.config/opencode/opencode.json': {
      model: 'stub/stub-model',
      small_model: 'stub/stub-model',
      autoupdate: false,
      share: 'disabled',
      provider: {
        stub: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Stub',
          options: { baseURL: stub.addressFor('openai-compatible'), apiKey: 'stub-key' },
          models: { 'stub-model': { name: 'Stub', limit: { context: 100_000, output: 8000 } } },
        },
      },
    },
  }),
  read: (filePath) => call('read', { filePath }),
  edit: (filePath, oldString, newString) => call('edit', { filePath, oldString, newString }),
  write: (filePath, content) => call('write', { filePath, content }),
  shell: (command) => call('bash', { command, description: 'as asked' }),
};

export const REAL_AGENTS: readonly RealAgent[] = [qwenCode, geminiCli, opencode];
