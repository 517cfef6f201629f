/** The rules of text edits (electron/workspace/SPEC.md, F18 and F19): only what was asked for changes. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText } from '../../electron/workspace/index.ts';
import { funnelOnNewFolder } from '../helpers/funnel.ts';

const edit = (text: string, old: string, replacement: string, all = false): string =>
  editText(text, { old, new: replacement, all }, 'a.txt');

describe('F18 a text edit changes nothing else', () => {
  it.each([
    ['LF', 'a\nb\nc\n', 'a\nb', 'x\ny', 'x\ny\nc\n'],
    ['CRLF, the model writes LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['CRLF, the model writes CRLF', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
    ['LF, the model writes CRLF', 'a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
    ['one line becomes two in a CRLF file', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['a match that begins with a line ending', 'a\r\nb\r\n', '\nb', '\nx\ny', 'a\r\nx\r\ny\r\n'],
    ['a match that ends with a line ending', 'a\r\nb\r\n', 'a\n', '', 'b\r\n'],
    ['a line ending goes as a whole', 'a\r\nb', '\n', '', 'ab'],
    ['mixed endings: those of the place', 'a\r\nb\r\nc\nd\n', 'c\nd', 'x\ny', 'a\r\nb\r\nx\ny\n'],
    ['a CR that ends no line is text', 'a\rb\n', 'a\rb', 'x', 'x\n'],
    ['no last newline stays so', 'a\nb', 'b', 'c', 'a\nc'],
    ['a byte order mark', '\uFEFFa\r\nb', 'a\nb', 'x', '\uFEFFx'],
    ['patterns are plain text', 'a.c abc', 'a.c', '$& $1 \\n', '$& $1 \\n abc'],
    ['deleting', 'abc', 'b', '', 'ac'],
  ])('F18 %s', (_, text, old, replacement, expected) => {
    expect(edit(text, old, replacement)).toBe(expected);
  });

  it('F18 all occurrences; of overlapping ones the first', () => {
    expect(edit('aXbXc', 'X', '-', true)).toBe('a-b-c');
    expect(edit('aaa', 'aa', 'b', true)).toBe('ba');
    expect(edit('x\r\nx\r\nx\r\n', 'x\n', 'y\n', true)).toBe('y\r\ny\r\ny\r\n');
  });

  it('F18 any text: what stands around the match stays, and LF means the endings of the file', () => {
    const line = fc.stringMatching(/^[abü$.]{0,6}$/);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.array(line, { maxLength: 3 }),
        fc.array(line, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        (before, replacement, after, ending) => {
          const text = [...before, 'one', 'two', ...after].join(ending);
          const expected = [...before, ...replacement, ...after].join(ending);
          if (replacement.length === 0) return;
          expect(edit(text, 'one\ntwo', replacement.join('\n'))).toBe(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('F18 a long text is found at once', () => {
    const text = Array.from({ length: 50_000 }, (_, n) => `line ${n} (a+b)*[c]`).join('\r\n');
    const old = text.slice(1000, 900_000).replaceAll('\r\n', '\n');
    expect(edit(text, old, '-')).toBe(`${text.slice(0, 1000)}-${text.slice(900_000)}`);
  });
});

describe('F19 an edit that is not clear is refused, and says what is there', () => {
  it.each([
    ['is not in', 'alpha\nbeta\n', 'gamma', /not in a\.txt.*Nothing like it is in its 3 lines/],
    ['differs in spaces', '\tif (x) {\n\t\ty();\n', 'if (x) {\n  y();', /Only its spaces differ.*line 1/],
    [
      'is similar',
      'const total = sum(list);\n',
      'const total = sum(items);',
      /Similar: line 1 is "const total/,
    ],
    ['empty file', '', 'a', /The file is empty/],
    ['empty text', 'a', '', /is empty; give some text/],
  ])('F19 no match: %s', (_, text, old, message) => {
    expect(() => edit(text, old, 'x')).toThrow(message);
    expect(() => edit(text, old, 'x')).toThrow(expect.objectContaining({ code: 'edit-no-match' }));
  });

  it('F19 several matches: their number and lines', () => {
    const several = (): string => edit('x\ny\nx\n', 'x', 'z');
    expect(several).toThrow(/occurs 2 times in a\.txt \(lines 1, 3\)/);
    expect(several).toThrow(expect.objectContaining({ code: 'edit-not-unique' }));
    expect(() => edit('x\r\nx\r\nx\r\n', 'x\nx', 'z')).toThrow(/occurs 2 times/);
    expect(() => edit('x\n'.repeat(30), 'x', 'z')).toThrow(/lines 1, 2, .*10, …\)/);
  });
});

describe('F18 edits of files', () => {
  const editedBytes = async (content: Buffer): Promise<Buffer> => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), content);
    await funnel.editFile(sink, 'a', { old: 'one', new: 'zwei€' });
    return readFileSync(join(root, 'a'));
  };

  it('F18 a byte order mark, NUL and every other character stay, byte for byte', async () => {
    const around = Buffer.from('\uFEFF\r\n\0\u2028 é e\u0301 😀 ', 'utf8');
    expect(await editedBytes(Buffer.concat([around, Buffer.from('one'), around]))).toEqual(
      Buffer.concat([around, Buffer.from('zwei€', 'utf8'), around]),
    );
  });

  it.each([
    ['Latin-1', Buffer.from('one é', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFone', 'utf16le')],
    ['half a character', Buffer.from([...Buffer.from('one '), 0xf0, 0x9f, 0x98])],
    ['a surrogate in UTF-8', Buffer.from([...Buffer.from('one '), 0xed, 0xa0, 0x80])],
  ])('F19 %s is not text, and is left as it is', async (_, content) => {
    const { root, sink, funnel } = await funnelOnNewFolder();
    writeFileSync(join(root, 'a'), content);
    await expect(funnel.editFile(sink, 'a', { old: 'one', new: 'x' })).rejects.toMatchObject({
      code: 'not-text',
      path: 'a',
    });
    expect(readFileSync(join(root, 'a'))).toEqual(content);
    expect(sink.captures.size).toBe(0);
  });

  it('F19 what is no file, or is not there, is said', async () => {
    const { sink, funnel } = await funnelOnNewFolder();
    await funnel.createDirectory(sink, 'd');
    await funnel.createSymlink(sink, 'l', 'd');
    const change = { old: 'a', new: 'b' };
    await expect(funnel.editFile(sink, 'd', change)).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.editFile(sink, 'l', change)).rejects.toMatchObject({ code: 'path-wrong-kind' });
    await expect(funnel.editFile(sink, 'none', change)).rejects.toMatchObject({ code: 'path-not-found' });
  });

  it('F18 a file over the limit of what is held can still be edited', async () => {
    const { root, sink, funnel } = await funnelOnNewFolder({ maxFileBytes: 10 });
    writeFileSync(join(root, 'a'), 'one and a little more');
    await funnel.editFile(sink, 'a', { old: 'one', new: 'two' });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('two and a little more');
  });
});
