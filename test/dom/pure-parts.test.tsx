import { describe, expect, test } from 'vitest';
import { isForPractice } from '../../renderer/features/agents/practice-words.ts';
import { joinCommand, splitCommand } from '../../renderer/features/agents/split-command.ts';
import { stableLength } from '../../renderer/features/chat/markdown.tsx';
import { optionsFor } from '../../renderer/features/chat/slash-menu.tsx';
import { parseUnified, segmentsOf } from '../../renderer/features/diff/parse-unified.ts';
import { choicesFor, groupPlan, undecided, whyNot } from '../../renderer/features/rewind/plan-groups.ts';
import { formatBytes, plural, splitPath } from '../../renderer/lib/text.ts';
import { relativeTime } from '../../renderer/lib/time.ts';
import { piecesOf } from '../../renderer/ui/long-text.tsx';
import { plan, planItem } from './samples.ts';

describe('a plan', () => {
  const mixed = plan(3, [
    planItem('conflict.txt', { verdict: 'conflict' }),
    planItem('back.txt'),
    planItem('made.txt', { action: 'delete' }),
    planItem('big.bin', { verdict: 'skipped', action: 'none', reason: '12 MB, over the 8 MB limit' }),
    planItem('gone.txt', { verdict: 'lost', action: 'none' }),
    planItem('same.txt', { verdict: 'same', action: 'none' }),
  ]);

  test('falls into groups without losing an item', () => {
    const groups = Object.values(groupPlan(mixed)).map((items) =>
      items.map(({ path }: { path: string }) => path),
    );
    expect(groups).toEqual([
      ['conflict.txt'],
      ['back.txt'],
      ['made.txt'],
      ['big.bin', 'gone.txt'],
      ['same.txt'],
    ]);
  });

  test('waits for every conflict to be decided, except when only the chat goes back', () => {
    expect(undecided(mixed, {})).toBe(1);
    expect(whyNot(mixed, {}, 'files-only', false)).toBe('One conflict is undecided.');
    expect(whyNot(mixed, {}, 'chat-only', false)).toBeNull();
    expect(whyNot(mixed, { 'conflict.txt': 'keep-mine' }, 'files-only', false)).toBeNull();
    expect(whyNot(mixed, { 'conflict.txt': 'keep-mine' }, 'files-only', true)).toBe('A turn is running.');
    expect(whyNot(null, {}, 'files-only', false)).toBe('Choose a turn to go back to.');
  });

  test('sends only choices about its own conflicts', () => {
    const choices = { 'conflict.txt': 'go-back', 'back.txt': 'keep-mine', 'other.txt': 'keep-mine' } as const;
    expect(choicesFor(mixed, choices)).toEqual({ 'conflict.txt': 'go-back' });
  });
});

describe('a diff', () => {
  const rows = parseUnified(
    '--- a\n+++ b\n@@ -4,3 +4,4 @@\n same\n-let a = 1;\n+let a = 2;\n+let b;\n end\n',
  );

  test('has line numbers on both sides', () => {
    expect(rows?.map(({ kind, oldLine, newLine }) => [kind, oldLine, newLine])).toEqual([
      ['hunk', null, null],
      ['context', 4, 4],
      ['removed', 5, null],
      ['added', null, 5],
      ['added', null, 6],
      ['context', 6, 7],
    ]);
  });

  test('marks the words that changed', () => {
    expect(rows?.[2] && segmentsOf(rows[2]).filter(({ changed }) => changed)).toEqual([
      { text: '1', changed: true },
    ]);
    expect(rows?.[3] && segmentsOf(rows[3]).filter(({ changed }) => changed)).toEqual([
      { text: '2', changed: true },
    ]);
  });

  test('keeps the text of a line whole when it is put together again', () => {
    for (const row of rows ?? [])
      expect(
        segmentsOf(row)
          .map(({ text }) => text)
          .join(''),
      ).toBe(row.text);
  });
});

describe('streamed Markdown', () => {
  test('is stable up to the last empty line', () => {
    expect(stableLength('One.\n\nTwo')).toBe('One.\n\n'.length);
    expect(stableLength('One')).toBe(0);
  });

  test('is not cut inside a code fence', () => {
    expect(stableLength('A\n\n```js\nlet a;\n\nlet b;')).toBe('A\n\n'.length);
    const closed = '```\na\n\nb\n```\n\n';
    expect(stableLength(`${closed}rest`)).toBe(closed.length);
  });
});

describe('words', () => {
  test.each([
    ['write notes.md: hello', true],
    ['write a.txt: x\nrun: ls -l', true],
    ['replace "a b" with "c" in notes.md', true],
    ['move a.txt to b/a.txt', true],
    ['[{"tool":"write_file","path":"a","content":"b"}]', true],
    ['delete the old tests', false],
    ['write a test for the parser', false],
    ['move the button to the left', false],
    ['[this is not JSON]', false],
    ['hello', false],
  ])('%j is for the practice agent: %s', (text, expected) => {
    expect(isForPractice(text)).toBe(expected);
  });

  test.each([
    ['agent --acp', ['agent', '--acp']],
    ['"my agent" -c \'a b\' ""', ['my agent', '-c', 'a b', '']],
    ['"say \\"hi\\""', ['say "hi"']],
    ['   ', []],
  ])('the command %j is read as words', (text, words) => {
    expect(splitCommand(text)).toEqual(words);
    expect(splitCommand(joinCommand(words))).toEqual(words);
  });

  test('the slash menu opens on a name that is still being typed', () => {
    const names = (text: string) => optionsFor(text).map(({ name }) => name);
    expect(names('/')).toEqual(['/rewind', '/redo', '/diff', '/help']);
    expect(names('/re')).toEqual(['/rewind', '/redo']);
    expect(names('/rewind 3')).toEqual([]);
    expect(names('see /re')).toEqual([]);
  });

  test('sizes, counts, paths and times', () => {
    expect([formatBytes(812), formatBytes(14_336), formatBytes(2_516_582)]).toEqual([
      '812 bytes',
      '14 KB',
      '2.4 MB',
    ]);
    expect([plural(1, 'file'), plural(3, 'file')]).toEqual(['1 file', '3 files']);
    expect(splitPath('a/b/c.txt')).toEqual({ folder: 'a/b/', name: 'c.txt' });
    const now = new Date(2026, 5, 15, 12).getTime();
    expect(relativeTime(now - 5_000, now)).toBe('just now');
    expect(relativeTime(now - 4 * 60_000, now)).toBe('4 min ago');
    expect(relativeTime(now - 3 * 3_600_000, now)).toBe('3 h ago');
    expect(relativeTime(now - 20 * 3_600_000, now)).toMatch(/^yesterday, /);
  });
});

test('a long text falls into pieces that end where lines end, and growing changes only the last', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');
  const pieces = piecesOf(`${lines(250)}no end`);
  expect(pieces).toHaveLength(3);
  expect(pieces.join('')).toBe(`${lines(250)}no end`);
  expect(piecesOf(lines(260)).slice(0, 2)).toEqual(pieces.slice(0, 2));
  expect(piecesOf('')).toEqual([]);
});
