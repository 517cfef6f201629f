/** Every rule that a SPEC.md states is named by at least one test. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The title of each `it` and `describe`, also after `.each(...)`. */
const TITLE = /\b(?:it|describe)\b[^\n'"`]*\(\s*(['"`])(.*?)\1|\)\(\s*(['"`])(.*?)\3/gs;

const titles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(join('test', file), 'utf8').matchAll(TITLE)])
  .map(([, , plain, , afterEach]) => plain ?? afterEach ?? '');

const rulesOf = (spec: string): string[] =>
  [...readFileSync(spec, 'utf8').matchAll(/^- (?:\*\*)?([A-Z]\d+)\b/gm)].map(([, id]) => id ?? '');

describe.each(['electron/store/SPEC.md', 'electron/workspace/SPEC.md'])('%s', (spec) => {
  const rules = rulesOf(spec);

  it('states its rules, each once', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it.each(rules)('%s has a test that is named after it', (rule) => {
    const named = titles.filter((title) => new RegExp(`\\b${rule}\\b`).test(title));
    expect(named, `no test is named after ${rule}`).not.toEqual([]);
  });
});
