/** The pure parts of looking around in a folder. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../electron/workspace/read/glob.ts';
import { literalsIn } from '../../electron/workspace/read/literal.ts';
import { patternOf, searchText } from '../../electron/workspace/read/search-file.ts';

const linesWith = (pattern: string, text: string, most = 100) =>
  searchText(Buffer.from(text), patternOf(pattern), most);

describe('texts that a match needs', () => {
  it.each([
    ['import .* from .x', ['import ', ' from ', 'x']],
    ['foo\\(bar\\)', ['foo(bar)']],
    ['ab?c+d*e', ['a', 'c', 'e']],
    ['function\\s+name$', ['function', 'name']],
    ['a|b', []],
    ['x(yz)?', []],
    ['a{0}b', []],
    ['\\x41', []],
  ])('%s needs %j', (pattern, needed) => {
    expect(literalsIn(pattern)).toEqual(needed);
  });

  it('every match of any pattern holds them', () => {
    const token = fc.constantFrom(
      'a',
      'b',
      'ü',
      '😀',
      '.',
      '*',
      '+',
      '?',
      '^',
      '$',
      '\\.',
      '\\b',
      '\\w',
      '|',
    );
    let matches = 0;
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 7 }).map((tokens) => tokens.join('')),
        fc.array(fc.constantFrom('a', 'b', 'ü', '😀', '.'), { maxLength: 8 }).map((parts) => parts.join('')),
        (pattern, text) => {
          const { expression, isPlainText } = patternOf(pattern);
          const match = isPlainText ? null : expression.exec(text);
          if (match === null) return;
          matches += 1;
          for (const needed of literalsIn(pattern)) expect(match[0]).toContain(needed);
        },
      ),
      { numRuns: 5000 },
    );
    expect(matches).toBeGreaterThan(300);
  });
});

describe('searching a text', () => {
  it('gives the lines and their numbers, whatever ends them', () => {
    expect(linesWith('^b|d$', 'a\nb\r\nc\nd\r\n\r\nbd')).toEqual([
      { line: 2, text: 'b' },
      { line: 4, text: 'd' },
      { line: 6, text: 'bd' },
    ]);
  });

  it('stops at the most that is wanted', () => {
    expect(linesWith('a', 'a\na\na', 2)).toHaveLength(2);
  });

  it.each([
    ['(?i)TODO', 'a todo', true],
    ['needless\\-backslash\\_', 'needless-backslash_', true],
    ['\\p{Lu}', 'É', true],
    ['^.$', '😀', true],
    ['foo(', 'call foo(1)', true],
    ['foo(', 'foo', false],
  ])('%s in %s', (pattern, text, isThere) => {
    expect(linesWith(pattern, text)).toHaveLength(isThere ? 1 : 0);
  });

  it('a pattern that is no regular expression is plain text, and said to be', () => {
    expect(patternOf('a[').isPlainText).toBe(true);
    expect(patternOf('a.').isPlainText).toBe(false);
    expect(linesWith('a[', 'ba[c')).toEqual([{ line: 1, text: 'ba[c' }]);
  });

  it('finds nothing in what is not text', () => {
    expect(linesWith('a', 'a\0a')).toEqual([]);
  });

  it('of a long line shows what is around the match', () => {
    const [found] = linesWith('needle', `${'x'.repeat(5000)}needle${'y'.repeat(5000)}`);
    expect(found?.text).toMatch(/^…x{100}needley{294}…$/);
  });
});

describe('globs', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'deep/er/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['src/**/*.ts', 'test/src/a.ts', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['**/*.{ts,tsx}', 'x/a.tsx', true],
    ['{a,b}/{c,d}.md', 'b/c.md', true],
    ['{a,{b,c}}.md', 'c.md', true],
    ['{a,b}.md', '{a,b}.md', false],
    ['src', 'src/a/b.ts', true],
    ['README', 'readme', false],
    ['#notes', '#notes', true],
    ['!important', '!important', true],
    ['a?[xy].txt', 'abx.txt', true],
  ])('%s and %s: %s', (glob, path, matches) => {
    expect(globMatcher(glob)(path)).toBe(matches);
  });

  it('many braces, and stars that could match in many ways, take no time', () => {
    const before = performance.now();
    globMatcher('{a,b}'.repeat(150))('aaaa');
    globMatcher(`${'*a'.repeat(100)}b`)(`${'a'.repeat(250)}c`);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
