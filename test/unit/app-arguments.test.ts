import { describe, expect, it } from 'vitest';
import { parseWindowArguments } from '../../electron/app/arguments.ts';
import { AppError } from '../../shared/errors.ts';

const NOTHING = { folder: null, userDataDir: null, screenshot: null, theme: null, windowSize: null };

describe('the words after the program’s name', () => {
  it('are read in both forms, and paths are taken from where the person stands', () => {
    expect(
      parseWindowArguments(
        ['--folder', 'project', '--user-data-dir=/data', '--screenshot', '../a.png', '--theme', 'dark'],
        '/home/me',
      ),
    ).toEqual({
      ...NOTHING,
      folder: '/home/me/project',
      userDataDir: '/data',
      screenshot: '/home/a.png',
      theme: 'dark',
    });
    expect(parseWindowArguments(['--window-size', '1280x800'], '/').windowSize).toEqual({
      width: 1280,
      height: 800,
    });
  });

  it('that are not ours are left to Chromium', () => {
    expect(parseWindowArguments(['--no-sandbox', '.', '--inspect=0', '-r', 'x'], '/')).toEqual(NOTHING);
  });

  it.each([
    [['--folder']],
    [['--folder=']],
    [['--theme', 'pink']],
    [['--window-size', 'big']],
    [['--window-size', '1x1']],
  ])('are refused when they make no sense: %j', (words) => {
    expect(() => parseWindowArguments(words, '/')).toThrow(AppError);
  });
});
