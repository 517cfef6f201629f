import { describe, expect, test } from 'vitest';
import { parseUnified } from '../../renderer/features/diff/parse-unified.ts';
import { countFiles, sharedMarks, without } from '../../renderer/lib/changes.ts';
import type { CaptureSummary } from '../../shared/history.ts';
import { entry, planItem } from './samples.ts';

const [file] = entry(1).captures as [CaptureSummary];
const folder = (path: string): CaptureSummary => ({
  ...file,
  path,
  pre: { kind: 'absent' },
  post: { kind: 'directory', mode: 0o755 },
  change: 'created',
  lines: null,
});

describe('counting', () => {
  test('a folder counts only where nothing below it changed', () => {
    expect(countFiles([folder('made'), folder('made/deep'), { ...file, path: 'made/deep/a.txt' }])).toBe(1);
    expect(countFiles([folder('empty'), folder('made'), { ...file, path: 'made-too.txt' }])).toBe(3);
  });

  test('a path that is as it was in the end does not count', () => {
    expect(countFiles([file, { ...file, path: 'b.txt', change: null }])).toBe(1);
  });
});

describe('marks', () => {
  const items = [
    planItem('a.txt', { marks: ['changed during a command'] }),
    planItem('b.txt', { marks: ['moved from c.txt', 'changed during a command'] }),
  ];

  test('what each of several items carries is said once, the rest stays beside its path', () => {
    const shared = sharedMarks(items);
    expect(shared).toEqual(['changed during a command']);
    expect(items.map(({ marks }) => without(marks, shared))).toEqual([[], ['moved from c.txt']]);
  });

  test('a single item says its own', () => {
    expect(sharedMarks(items.slice(0, 1))).toEqual([]);
    expect(sharedMarks([])).toEqual([]);
  });
});

test('a part of a diff says where it stands; of a removed file, where it stood', () => {
  const place = (header: string, lines: string) =>
    parseUnified(`--- a\n+++ b\n${header}\n${lines}`)?.[0]?.text;
  expect(place('@@ -4,1 +4,2 @@', ' same\n+new\n')).toBe('Lines 4–5');
  expect(place('@@ -1,2 +0,0 @@', '-one\n-two\n')).toBe('Lines 1–2');
  expect(place('@@ -0,0 +1,1 @@', '+one\n')).toBe('Line 1');
});
