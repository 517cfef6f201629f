/** The words of the headless face: what is read, and what is a usage error. */

import { describe, expect, it } from 'vitest';
import { readArguments } from '../../electron/cli/arguments.ts';
import { AppError } from '../../shared/errors.ts';

const read = (...words: string[]) => readArguments(words, '/home/ada');

describe('what is read', () => {
  it('takes the folder from --folder, relative to the current one, which is the default', () => {
    expect(read('stats').folder).toBe('/home/ada');
    expect(read('stats', '--folder', 'site').folder).toBe('/home/ada/site');
    expect(read('--folder=/srv/x', 'stats').folder).toBe('/srv/x');
  });

  it.each([
    [
      ['chat', 'hi', 'there'],
      { name: 'chat', agent: { kind: 'practice' }, mode: 'full', message: 'hi there' },
    ],
    [
      ['chat', '--mode', 'read-only', '--agent', 'acp', '--command', 'opencode  acp', '-'],
      { name: 'chat', agent: { kind: 'acp', command: ['opencode', 'acp'] }, mode: 'read-only', message: '-' },
    ],
    [['chat', '--', '--odd'], { name: 'chat', agent: { kind: 'practice' }, mode: 'full', message: '--odd' }],
    [
      ['chat', '--agent', 'model', '--provider', 'ollama', '--model', 'm', 'x'],
      {
        name: 'chat',
        agent: { kind: 'model', provider: { id: 'model', kind: 'ollama', name: 'm', model: 'm' } },
        mode: 'full',
        message: 'x',
      },
    ],
    [['turns', '--limit', '5'], { name: 'turns', limit: 5 }],
    [
      ['plan', '--turn', 'last', '--path', 'a', '--path', 'b'],
      { name: 'plan', turn: 'last', paths: ['a', 'b'] },
    ],
    [
      ['rewind', '--turn', '3', '--dry-run'],
      { name: 'rewind', turn: 3, paths: undefined, conflicts: 'overwrite', planId: undefined, dryRun: true },
    ],
    [['diff', '--turn', '2', '--path', 'a'], { name: 'diff', turn: 2, path: 'a' }],
    [
      ['prune', '--keep-turns', '0', '--max-bytes', '10'],
      { name: 'prune', keepTurns: 0, maxBytes: 10, dryRun: false },
    ],
    [['redo'], { name: 'redo' }],
    [['verify'], { name: 'verify' }],
  ])('%j', (words, command) => {
    expect(read('--json', ...words)).toEqual({ folder: '/home/ada', json: true, command });
  });
});

it.each([
  [[]],
  [['toString']],
  [['nope']],
  [['chat']],
  [['chat', '--mode', 'yolo', 'x']],
  [['chat', '--agent', 'nobody', 'x']],
  [['chat', '--model', 'm', 'x']],
  [['chat', '--agent', 'model', '--provider', 'nobody', '--model', 'm', 'x']],
  [['chat', '--agent', 'model', '--provider', 'openai', 'x']],
  [['chat', '--agent', 'acp', 'x']],
  [['turns', '--limit', '0']],
  [['turns', 'extra']],
  [['turns', '--turn', '1']],
  [['plan']],
  [['rewind', '--turn', '0']],
  [['rewind', '--turn', '1e3']],
  [['rewind', '--turn', '1', '--conflicts', 'maybe']],
  [['rewind', '--turn', '1', '--plan', 'abc']],
  [['diff', '--turn', '1', '--path', 'a', '--path', 'b']],
  [['prune']],
  [['prune', '--keep-turns', '-1']],
  [['stats', '--folder']],
  [['stats', '--unknown']],
])('%j is a usage error', (words) => {
  expect(() => read(...words)).toThrow(AppError);
  try {
    read(...words);
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' });
  }
});
