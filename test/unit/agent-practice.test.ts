/** The practice agent does exactly what the message says, and nothing when it can't read it. */

import { describe, expect, it } from 'vitest';
import { type AgentPorts, practiceAgent, type ToolResult } from '../../electron/agent/index.ts';
import { parseMessage } from '../../electron/agent/practice/parse-message.ts';
import { AppError } from '../../shared/errors.ts';

const call = (tool: string, input: unknown) => ({ kind: 'call', tool, input });

describe('plain words', () => {
  it.each([
    ['write notes.md: hello there', call('write_file', { path: 'notes.md', content: 'hello there\n' })],
    ['Write my notes.md: a: b', call('write_file', { path: 'my notes.md', content: 'a: b\n' })],
    ['write a:b.txt: x', call('write_file', { path: 'a:b.txt', content: 'x\n' })],
    ['write "odd: name.txt": x', call('write_file', { path: 'odd: name.txt', content: 'x\n' })],
    ['write empty.txt:', call('write_file', { path: 'empty.txt', content: '\n' })],
    ['append log.txt: more', { kind: 'append', path: 'log.txt', text: 'more' }],
    [
      'replace "a \\"b\\"" with "c\\nd" in src/my file.ts',
      call('edit_file', { path: 'src/my file.ts', old: 'a "b"', new: 'c\nd', all: true }),
    ],
    [
      'replace "x" with "" in "a in b.txt"',
      call('edit_file', { path: 'a in b.txt', old: 'x', new: '', all: true }),
    ],
    ['delete old docs', call('delete_file', { path: 'old docs', recursive: true })],
    ['move a b.txt to c d.txt', call('move_file', { from: 'a b.txt', to: 'c d.txt' })],
    ['move "a to b" to "c to d"', call('move_file', { from: 'a to b', to: 'c to d' })],
    ['run: sed -i "s/a/b/" x.txt', call('run_command', { command: 'sed -i "s/a/b/" x.txt' })],
  ])('reads %s', (line, step) => {
    expect(parseMessage(line)).toEqual([step]);
  });

  it('reads one instruction a line, whatever the line endings', () => {
    expect(parseMessage('delete a\r\n\n  delete b  \n')).toEqual([
      call('delete_file', { path: 'a', recursive: true }),
      call('delete_file', { path: 'b', recursive: true }),
    ]);
  });

  it.each(['', 'hello', 'delete', 'move a to b to c', 'write: x', 'delete a\nand then stop'])(
    'takes %j for no instruction at all',
    (message) => {
      expect(parseMessage(message)).toBeNull();
    },
  );
});

describe('JSON', () => {
  it('reads an array of calls and passes the rest of each on as it is', () => {
    expect(parseMessage(' [{"tool":"write_file","path":"a","content":"x"},{"tool":"nope"}]')).toEqual([
      call('write_file', { path: 'a', content: 'x' }),
      call('nope', {}),
    ]);
  });

  it.each(['[', '[1]', '[{"path":"a"}]', '{"tool":"read_file","path":"a"}'])('refuses %s', (message) => {
    expect(parseMessage(message)).toBeNull();
  });
});

interface Heard {
  readonly calls: { name: string; input: unknown }[];
  text: string;
}

function portsOver(
  files: Record<string, string>,
  answer: (name: string) => ToolResult = () => ({ ok: true, output: '' }),
): AgentPorts & { heard: Heard } {
  const heard: Heard = { calls: [], text: '' };
  const unused = (): never => {
    throw new Error('The practice agent has no use for this port.');
  };
  return {
    heard,
    callTool: async (name, input) => {
      heard.calls.push({ name, input });
      return answer(name);
    },
    say: (delta) => {
      heard.text += delta;
    },
    readText: async (path) => {
      const text = files[path];
      if (text === undefined) throw new AppError('path-not-found', 'Not there.');
      if (text.includes('\0')) throw new AppError('not-text', 'Not text.');
      return text;
    },
    notice: unused,
    usage: unused,
    askToContinue: unused,
    showCall: unused,
    approveForeign: unused,
    observe: unused,
    writeText: unused,
  };
}

const turn = (prompt: string) => ({ prompt, history: [], signal: new AbortController().signal });

describe('a turn', () => {
  it('runs calls in order, goes on after a failure, and fails in the end', async () => {
    const ports = portsOver({}, (name) =>
      name === 'delete_file'
        ? { ok: false, output: '', error: { code: 'path-not-found', message: 'There is no a.' } }
        : { ok: true, output: '' },
    );
    expect(await practiceAgent.runTurn(turn('delete a\nwrite b: x'), ports)).toEqual({ status: 'failed' });
    expect(ports.heard.calls.map(({ name }) => name)).toEqual(['delete_file', 'write_file']);
    expect(ports.heard.text).toBe('1 of 2 calls failed.\n- There is no a.');
  });

  it('answers anything else with help, calls nothing and is done', async () => {
    const ports = portsOver({});
    expect(await practiceAgent.runTurn(turn('please refactor'), ports)).toEqual({ status: 'done' });
    expect(ports.heard.calls).toEqual([]);
    expect(ports.heard.text).toContain('write notes.md: some text');
  });

  it.each([
    ['a\nb\n', 'a\nb\nc\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\nc\r\n'],
    ['a\r\nb', 'a\r\nb\r\nc\r\n'],
    ['\ufeffa', '\ufeffa\nc\n'],
    ['', 'c\n'],
  ])('appends to %j with its own line ending', async (present, wanted) => {
    const ports = portsOver({ 'x.txt': present });
    await practiceAgent.runTurn(turn('append x.txt: c'), ports);
    expect(ports.heard.calls).toEqual([{ name: 'write_file', input: { path: 'x.txt', content: wanted } }]);
  });

  it('makes the file that it appends to, and shows a file it can not read as a failing read', async () => {
    const ports = portsOver({ image: '\0' });
    await practiceAgent.runTurn(turn('append new.txt: c\nappend image: c'), ports);
    expect(ports.heard.calls).toEqual([
      { name: 'write_file', input: { path: 'new.txt', content: 'c\n' } },
      { name: 'read_file', input: { path: 'image' } },
    ]);
  });

  it('stops between calls', async () => {
    const stop = new AbortController();
    const ports = portsOver({}, () => {
      stop.abort();
      return { ok: true, output: '' };
    });
    const outcome = await practiceAgent.runTurn(
      { prompt: 'delete a\ndelete b', history: [], signal: stop.signal },
      ports,
    );
    expect(outcome).toEqual({ status: 'stopped' });
    expect(ports.heard.calls).toHaveLength(1);
  });
});
