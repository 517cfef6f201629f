/** The pure plan: which verdict each path gets, and why. */

import { describe, expect, it } from 'vitest';
import { decide } from '../../electron/rewind/choices.ts';
import { buildPlan, type PathFacts, type PlanInput } from '../../electron/rewind/plan.ts';
import type { CaptureRow } from '../../electron/store/types.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { asTurnNumber, type RelPath, type Sha256 } from '../../shared/ids.ts';

const file = (text: string, mode = 0o644): FileState => ({
  kind: 'content',
  sha256: text.padEnd(64, '0') as Sha256,
  bytes: text.length,
  mode,
});
const directory = (mode = 0o755): FileState => ({ kind: 'directory', mode });

const capture = (
  turn: number,
  pre: FileState,
  post: FileState | null,
  more: Partial<CaptureRow> = {},
): CaptureRow => ({
  turn: asTurnNumber(turn),
  path: 'a' as RelPath,
  pre,
  intent: post,
  post,
  recovered: false,
  undoneBy: null,
  marks: [],
  temp: null,
  atMs: 0,
  ...more,
});

const at = (
  path: string,
  present: FileState,
  captures: PathFacts['captures'],
  more: Partial<PathFacts> = {},
): PathFacts => ({
  path: path as RelPath,
  captures,
  partlyPutBack: null,
  present,
  outside: false,
  blob: 'ok',
  children: [],
  ...more,
});

const planOf = (facts: readonly PathFacts[], more: Partial<PlanInput> = {}) =>
  buildPlan({ kind: 'rewind', turn: asTurnNumber(1), undoes: [], notCovered: [], notes: [], facts, ...more });
const itemOf = (facts: PathFacts) => planOf([facts]).items[0]!;

describe('verdicts', () => {
  it.each<[string, FileState, FileState, FileState, string, string]>([
    ['as the agent left it', file('old'), file('new'), file('new'), 'apply', 'write'],
    ['already as wanted', file('old'), file('new'), file('old'), 'same', 'none'],
    ['changed by a person', file('old'), file('new'), file('mine'), 'conflict', 'write'],
    ['made by the agent', ABSENT, file('new'), file('new'), 'apply', 'delete'],
    ['made by the agent, changed by a person', ABSENT, file('new'), file('mine'), 'conflict', 'delete'],
    ['made by the agent, deleted by a person', ABSENT, file('new'), ABSENT, 'same', 'none'],
    ['deleted by the agent', file('old'), ABSENT, ABSENT, 'apply', 'write'],
    ['deleted by the agent, made anew by a person', file('old'), ABSENT, file('mine'), 'conflict', 'write'],
    ['deleted by a person', file('old'), file('new'), ABSENT, 'conflict', 'write'],
    [
      'only the mode differs from what was left',
      file('old'),
      file('new'),
      file('new', 0o600),
      'conflict',
      'write',
    ],
    ['only the mode was changed', file('old'), file('old', 0o755), file('old', 0o755), 'apply', 'write'],
    ['a link became a file', { kind: 'symlink', target: 'x' }, file('new'), file('new'), 'apply', 'write'],
    ['a directory was removed', directory(), ABSENT, ABSENT, 'apply', 'write'],
  ])('%s', (_, pre, post, present, verdict, action) => {
    expect(itemOf(at('a', present, [capture(1, pre, post)]))).toMatchObject({ verdict, action });
  });

  it('the oldest pre-image is wanted, the newest after-state is expected', () => {
    const item = itemOf(
      at('a', file('three'), [capture(1, file('one'), file('two')), capture(2, file('two'), file('three'))]),
    );
    expect(item).toMatchObject({ verdict: 'apply', wanted: file('one'), expected: file('three'), marks: [] });
  });

  it('what was never captured is never touched, and says why', () => {
    const pre: FileState = { kind: 'skipped', reason: '12 MB, over the 8 MB limit' };
    for (const present of [file('new'), ABSENT]) {
      expect(itemOf(at('a', present, [capture(1, pre, file('new'))]))).toMatchObject({
        verdict: 'skipped',
        action: 'none',
        reason: '12 MB, over the 8 MB limit',
      });
    }
  });

  it('a row that leads outside is never touched', () => {
    expect(itemOf(at('../a', ABSENT, [capture(1, ABSENT, file('x'))], { outside: true }))).toMatchObject({
      verdict: 'skipped',
      action: 'none',
      reason: 'outside the workspace',
    });
  });

  it('a blob that is gone or damaged is lost; a change of mode alone needs none', () => {
    const facts = (present: FileState, blob: 'missing' | 'damaged') =>
      at('a', present, [capture(1, file('old'), present)], { blob });
    expect(itemOf(facts(file('new'), 'missing'))).toMatchObject({ verdict: 'lost', action: 'none' });
    expect(itemOf(facts(file('new'), 'damaged')).reason).toMatch(/damaged/);
    expect(itemOf(facts(file('old', 0o755), 'missing'))).toMatchObject({ verdict: 'apply', action: 'write' });
  });

  it('what can not be kept is not replaced', () => {
    const present: FileState = { kind: 'skipped', reason: 'a socket' };
    expect(itemOf(at('a', present, [capture(1, file('old'), file('new'))]))).toMatchObject({
      verdict: 'skipped',
      action: 'none',
      reason: expect.stringContaining('a socket'),
    });
  });

  it('a file too large to be hashed by a scan is compared by its size', () => {
    const left: FileState = { kind: 'skipped', reason: 'large', bytes: 3, mode: 0o644 };
    const same = itemOf(at('a', file('new'), [capture(1, ABSENT, left)]));
    expect(same).toMatchObject({
      verdict: 'apply',
      action: 'delete',
      marks: [expect.stringContaining('size')],
    });
    expect(itemOf(at('a', file('newer'), [capture(1, ABSENT, left)]))).toMatchObject({ verdict: 'conflict' });
  });

  it('without an after-state, the intent is what was left', () => {
    const pending = capture(1, file('old'), null, { intent: file('new') });
    expect(itemOf(at('a', file('new'), [pending]))).toMatchObject({ verdict: 'apply' });
    expect(itemOf(at('a', file('other'), [pending]))).toMatchObject({
      verdict: 'conflict',
      reason: expect.stringMatching(/not known/),
    });
  });
});

describe('marks', () => {
  it("names a person's edit between two turns", () => {
    const captures = [capture(3, file('a'), file('b')), capture(5, file('mine'), file('c'))] as const;
    expect(itemOf(at('a', file('c'), [captures[0], captures[1]])).marks).toEqual([
      'you or another program changed this between turn 3 and turn 5; going back also undoes that',
    ]);
  });

  it('carries those of the captures, each once, and tells of a crash', () => {
    const marks = ['changed during a command'];
    const item = itemOf(
      at('a', file('c'), [
        capture(3, file('a'), file('b'), { marks }),
        capture(5, file('b'), file('c'), { marks, recovered: true }),
      ]),
    );
    expect(item.marks).toEqual([marks[0], expect.stringMatching(/turn 5 left was read after a crash/)]);
  });
});

describe('directories', () => {
  const made = (path: string, children: string[]) =>
    at(path, directory(), [capture(1, ABSENT, directory())], { children });

  it('a made one goes when all it holds goes', () => {
    const plan = planOf([
      made('d', ['d/e']),
      made('d/e', ['d/e/f']),
      at('d/e/f', file('x'), [capture(1, ABSENT, file('x'))]),
    ]);
    expect(plan.items.map(({ path, action }) => [path, action])).toEqual([
      ['d', 'delete'],
      ['d/e', 'delete'],
      ['d/e/f', 'delete'],
    ]);
  });

  it('one that holds something else stays, and so do those above it', () => {
    const plan = planOf([
      made('d', ['d/e']),
      made('d/e', ['d/e/f', 'd/e/mine']),
      at('d/e/f', file('x'), [capture(1, ABSENT, file('x'))]),
    ]);
    expect(plan.items.map(({ path, verdict, action, reason }) => [path, verdict, action, reason])).toEqual([
      ['d', 'apply', 'none', 'not empty: holds files that are not part of these turns'],
      ['d/e', 'apply', 'none', 'not empty: holds files that are not part of these turns'],
      ['d/e/f', 'apply', 'delete', undefined],
    ]);
  });

  it('one into which something comes back stays as it is, and is not made anew', () => {
    const plan = planOf([
      made('d', ['d/e']),
      made('d/e', []),
      at('d/mine', ABSENT, [capture(2, file('mine'), ABSENT)]),
    ]);
    expect(plan.items.map(({ path, action, reason }) => [path, action, reason])).toEqual([
      ['d', 'none', 'stays, since something comes back into it'],
      ['d/e', 'delete', undefined],
      ['d/mine', 'write', undefined],
    ]);
  });

  it('one that holds something else can not become a file', () => {
    const facts = at('d', directory(), [capture(1, file('old'), directory())], { children: ['d/mine'] });
    expect(itemOf(facts)).toMatchObject({ verdict: 'conflict', action: 'none' });
    expect(decide(planOf([facts]), { conflicts: 'overwrite' }).failed).toMatchObject([{ path: 'd' }]);
  });

  it("a person's, where the agent's file was, stays: that is no failure", () => {
    const facts = at('d', directory(), [capture(1, ABSENT, file('x'))], { children: ['d/mine'] });
    expect(itemOf(facts)).toMatchObject({ verdict: 'conflict', action: 'none' });
    const { kept, failed } = decide(planOf([facts]), { conflicts: 'overwrite' });
    expect(kept.map(({ path }) => path)).toEqual(['d']);
    expect(failed).toEqual([]);
  });
});

describe('the plan as a whole', () => {
  it('is sorted by path', () => {
    const facts = ['b', 'a/c', 'a', 'Z'].map((path) =>
      at(path, file('n'), [capture(1, file('o'), file('n'))]),
    );
    expect(planOf(facts).items.map(({ path }) => path)).toEqual(['Z', 'a', 'a/c', 'b']);
  });

  it('has the same id for the same content, and another one for any other', () => {
    const id = (present: FileState, more: Partial<PlanInput> = {}) =>
      planOf([at('a', present, [capture(1, file('old'), file('new'))])], more).planId;
    expect(id(file('new'))).toBe(id(file('new')));
    const others = [
      id(file('new')),
      id(file('mine')),
      id(file('new', 0o600)),
      id(ABSENT),
      id(file('new'), { turn: asTurnNumber(2) }),
      id(file('new'), { paths: ['a'] }),
      id(file('new'), { kind: 'redo' }),
      id(file('new'), { undoes: [asTurnNumber(1)] }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
