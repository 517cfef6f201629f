/** The contract of every channel: what it accepts and passes on, what it refuses, and whom. */

import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { type IpcChannel, ipcTable } from '../../shared/ipc.ts';
import { IPC_CHANNELS } from '../../shared/ipc-channels.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import {
  EMPTY_WINDOW_ID,
  ipcHarness,
  ORIGIN,
  OTHER_WORKSPACE_ID,
  trusted,
  WINDOW_ID,
  WORKSPACE_ID as workspaceId,
} from '../helpers/ipc-harness.ts';

const PLAN_ID = 'a'.repeat(64);
const provider = { id: 'p', kind: 'openai', name: 'Mine', model: 'm' } as const;
const agent = { id: 'e', name: 'Theirs', command: ['agent', '--acp'] };

interface Contract {
  /** Every member that the channel knows, each with a good value. */
  readonly good: Readonly<Record<string, unknown>>;
  readonly optional?: readonly string[];
  /** What is called for it, and with which arguments. */
  readonly reaches: readonly [name: string, ...args: unknown[]];
  readonly answer?: unknown;
}

/** A record over all channels: the compiler asks for the contract of a new one. */
const contracts: Record<IpcChannel, Contract> = {
  'app:state': { good: {}, reaches: ['app.state', WINDOW_ID] },
  'app:update-settings': {
    good: { patch: { theme: 'dark' } },
    reaches: ['app.updateSettings', { theme: 'dark' }],
  },
  'app:open-link': {
    good: { url: 'https://example.org/', fromAgent: true },
    reaches: ['app.openLink', WINDOW_ID, 'https://example.org/', true],
  },
  'workspace:open-dialog': { good: {}, reaches: ['folders.openDialog', WINDOW_ID] },
  'workspace:open-recent': { good: { recentId: 'r' }, reaches: ['folders.openRecent', WINDOW_ID, 'r'] },
  'workspace:forget-recent': {
    good: { recentId: 'r' },
    reaches: ['folders.forgetRecent', 'r'],
    answer: 'answer of app.state',
  },
  'workspace:answer-trust': {
    good: { openingId: 'o', choice: 'set-aside' },
    reaches: ['folders.answerTrust', WINDOW_ID, 'o', 'set-aside'],
  },
  'workspace:close': { good: { workspaceId }, reaches: ['folders.close', WINDOW_ID], answer: null },
  'session:snapshot': { good: { workspaceId }, reaches: ['session.snapshot'] },
  'session:send': {
    good: { workspaceId, text: 'hello', agentId: 'practice', mode: 'ask' },
    reaches: ['session.send', 'hello', { agentId: 'practice', mode: 'ask' }, expect.any(Function)],
    answer: { turn: 7 },
  },
  'session:stop': { good: { workspaceId }, reaches: ['session.stop'], answer: null },
  'session:answer-approval': {
    good: { workspaceId, approvalId: 'a', choice: 'deny' },
    reaches: ['session.answerApproval', 'a', 'deny'],
    answer: null,
  },
  'session:stop-progress': {
    good: { workspaceId, progressId: 'p' },
    reaches: ['session.stopProgress', 'p'],
    answer: null,
  },
  'session:branches': { good: { workspaceId }, reaches: ['session.branches'] },
  'session:branch': { good: { workspaceId, head: 5 }, reaches: ['session.branch', 5] },
  'history:list': {
    good: { workspaceId, before: 9, limit: 20 },
    optional: ['before', 'limit'],
    reaches: ['session.history', { before: 9, limit: 20 }],
  },
  'history:diff': {
    good: { workspaceId, turn: 'last', path: 'a/b.txt' },
    optional: ['path'],
    reaches: ['session.turnDiff', 'last', 'a/b.txt'],
  },
  'rewind:plan': {
    good: { workspaceId, turn: 3, paths: ['a', 'b/c'] },
    optional: ['paths'],
    reaches: ['session.plan', 3, ['a', 'b/c']],
  },
  'rewind:plan-redo': { good: { workspaceId }, reaches: ['session.planRedo'] },
  'rewind:preview': {
    good: { workspaceId, turn: 3, path: 'a' },
    reaches: ['session.previewItem', 3, 'a'],
  },
  'rewind:apply': {
    good: {
      workspaceId,
      turn: 3,
      paths: ['a'],
      planId: PLAN_ID,
      scope: 'files-only',
      conflicts: 'abort',
      choices: { a: 'keep-mine' },
    },
    optional: ['paths', 'choices'],
    reaches: [
      'session.rewind',
      {
        turn: 3,
        paths: ['a'],
        planId: PLAN_ID,
        scope: 'files-only',
        conflicts: 'abort',
        choices: { a: 'keep-mine' },
      },
    ],
  },
  'rewind:redo': {
    good: { workspaceId, planId: PLAN_ID, conflicts: 'keep', choices: { a: 'go-back' } },
    optional: ['planId', 'choices'],
    reaches: ['session.redo', { planId: PLAN_ID, conflicts: 'keep', choices: { a: 'go-back' } }],
  },
  'store:verify': { good: { workspaceId }, reaches: ['session.verify'] },
  'store:stats': { good: { workspaceId }, reaches: ['session.stats'] },
  'store:prune': {
    good: { workspaceId, keepTurns: 5, maxBytes: 100, dryRun: true },
    optional: ['keepTurns', 'maxBytes', 'dryRun'],
    reaches: ['session.prune', { keepTurns: 5, maxBytes: 100, dryRun: true }],
  },
  'store:forget': { good: { workspaceId }, reaches: ['folders.forgetHistory', WINDOW_ID], answer: null },
  'agents:list': { good: {}, reaches: ['agents.list'] },
  'agents:detect': { good: {}, reaches: ['agents.detect'] },
  'agents:save-provider': {
    good: { provider, key: 'k' },
    optional: ['key'],
    reaches: ['agents.saveProvider', provider, 'k'],
    answer: 'answer of agents.list',
  },
  'agents:save-external': {
    good: { agent },
    reaches: ['agents.saveExternal', agent],
    answer: 'answer of agents.list',
  },
  'agents:remove': { good: { id: 'p' }, reaches: ['agents.remove', 'p'], answer: 'answer of agents.list' },
  'agents:models': {
    good: { provider, key: 'k' },
    optional: ['key'],
    reaches: ['agents.models', provider, 'k'],
  },
  'agents:test': { good: { provider, key: 'k' }, optional: ['key'], reaches: ['agents.test', provider, 'k'] },
};

/** Shapes that no channel takes, whatever its members. */
const NOT_REQUESTS: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['text', 'text'],
  ['a list', []],
  ['a map', new Map([['workspaceId', workspaceId]])],
  ['bytes', new Uint8Array(3)],
];

const HOSTILE_PATHS = [
  '../outside',
  'a/../../outside',
  '/etc/passwd',
  'nul\0byte',
  '',
  '.git/config',
  'a/.GIT/hooks/pre-commit',
  '.osfoundry/checkpoints/index.sqlite',
  'x'.repeat(5000),
];

const harness = () => ipcHarness({ contain: async (path) => parseRelPath(path) });

/** Numbers count as wrong here: those tried are no whole ones from 1 on. */
const isSameType = (tried: unknown, good: unknown): boolean =>
  Array.isArray(good)
    ? Array.isArray(tried)
    : ['string', 'boolean'].includes(typeof good) && typeof tried === typeof good;

const without = (request: Readonly<Record<string, unknown>>, key: string) =>
  Object.fromEntries(Object.entries(request).filter(([name]) => name !== key));

describe('the IPC table', () => {
  it('has a handler for every channel, and for nothing else', () => {
    expect(new Set(harness().channels)).toEqual(new Set(Object.keys(ipcTable)));
  });

  it('is named in full in the list that the preload script uses', () => {
    expect(IPC_CHANNELS).toEqual(new Set(Object.keys(ipcTable)));
  });

  it('has a contract for every channel', () => {
    expect(new Set(Object.keys(contracts))).toEqual(new Set(Object.keys(ipcTable)));
  });
});

describe.each(Object.entries(contracts))('%s', (channel, { good, optional = [], reaches, answer }) => {
  const [name, ...args] = reaches;

  async function expectRefused(request: unknown, code: string, caller = trusted) {
    const { call, reached, problems } = harness();
    const result = await call(channel, request, caller);
    expect(result).toEqual({ ok: false, error: expect.objectContaining({ code }) });
    expect(reached).toEqual([]);
    return { result, problems };
  }

  it('accepts a good request and answers with what it leads to', async () => {
    const { call, reached } = harness();
    const result = await call(channel, good);
    expect(result).toEqual({ ok: true, value: answer === undefined ? `answer of ${name}` : answer });
    expect(reached[0]).toEqual({ name, args });
  });

  it('accepts a request without its optional members', async () => {
    const { call, reached } = harness();
    const request = optional.reduce(without, good);
    expect(await call(channel, request)).toMatchObject({ ok: true });
    expect(reached[0]?.name).toBe(name);
  });

  it('refuses a request that lacks a member', async () => {
    for (const key of Object.keys(good)) {
      if (!optional.includes(key)) await expectRefused(without(good, key), 'ipc-bad-input');
    }
  });

  it('refuses a member that it does not know', async () => {
    await expectRefused({ ...good, root: '/' }, 'ipc-bad-input');
  });

  it('refuses members of the wrong type', async () => {
    for (const key of Object.keys(good)) {
      for (const wrong of [null, 1.5, -1, true, 'some text', [], { a: { b: 1 } }, Number.NaN]) {
        if (isSameType(wrong, good[key])) continue;
        await expectRefused({ ...good, [key]: wrong }, 'ipc-bad-input');
      }
    }
  });

  it.each(NOT_REQUESTS)('refuses %s', async (_what, request) => {
    await expectRefused(request, 'ipc-bad-input');
  });

  it('refuses a window that is not ours', async () => {
    await expectRefused(good, 'ipc-untrusted-sender', { ...trusted, windowId: 99 });
  });

  it('refuses a subframe', async () => {
    await expectRefused(good, 'ipc-untrusted-sender', {
      ...trusted,
      frame: { isMainFrame: false, origin: ORIGIN },
    });
  });

  it.each(['https://example.org', 'file://', 'null', 'app://other', 'app://bundle.example.org', ''])(
    'refuses a page from %j',
    async (origin) => {
      await expectRefused(good, 'ipc-untrusted-sender', { ...trusted, frame: { isMainFrame: true, origin } });
    },
  );

  it('refuses a frame that is gone', async () => {
    await expectRefused(good, 'ipc-untrusted-sender', { ...trusted, frame: null });
  });

  it('refuses an untrusted sender before it looks at the request', async () => {
    await expectRefused(null, 'ipc-untrusted-sender', { ...trusted, windowId: 99 });
  });

  it('tells the log which channel refused, and nothing of what was sent', async () => {
    const { problems } = await expectRefused({ ...good, secret: 'sk-123456' }, 'ipc-bad-input');
    expect(problems).toHaveLength(1);
    expect(problems[0]?.channel).toBe(channel);
    expect(JSON.stringify(problems)).not.toContain('sk-123456');
  });

  if ('workspaceId' in good) {
    it('refuses the folder of another window', async () => {
      await expectRefused({ ...good, workspaceId: OTHER_WORKSPACE_ID }, 'ipc-bad-input');
    });

    it('refuses a window in which no folder is open', async () => {
      await expectRefused(good, 'ipc-bad-input', { ...trusted, windowId: EMPTY_WINDOW_ID });
    });
  }

  for (const key of ['path', 'paths', 'choices'].filter((candidate) => candidate in good)) {
    it.each(HOSTILE_PATHS)(`refuses %j as ${key}`, async (hostile) => {
      const value = key === 'path' ? hostile : key === 'paths' ? ['fine', hostile] : { [hostile]: 'go-back' };
      const { call, reached } = harness();
      const result = await call(channel, { ...good, [key]: value });
      expect(result).toEqual({
        ok: false,
        error: expect.objectContaining({ code: expect.stringMatching(/^(ipc-bad-input|path-)/) }),
      });
      expect(reached).toEqual([]);
    });
  }
});

describe('answers', () => {
  it('carries an expected failure with its code, sentence and path', async () => {
    const error = new AppError('store-locked', 'Another window holds the folder.', { path: 'a' });
    const { call, problems } = ipcHarness({ contain: async (path) => parseRelPath(path), failWith: error });
    expect(await call('session:snapshot', { workspaceId })).toEqual({
      ok: false,
      error: { code: 'store-locked', message: 'Another window holds the folder.', path: 'a' },
    });
    expect(problems).toEqual([]);
  });

  it('carries a bug as an internal failure and tells the log', async () => {
    const error = new TypeError('x is not a function');
    const { call, problems } = ipcHarness({ contain: async (path) => parseRelPath(path), failWith: error });
    expect(await call('rewind:plan', { workspaceId, turn: 1 })).toEqual({
      ok: false,
      error: { code: 'internal', message: 'x is not a function' },
    });
    expect(problems).toEqual([{ channel: 'rewind:plan', error }]);
  });

  it.each([
    ['too long', { ['x'.repeat(9_000_000)]: {} }],
    ['too many', Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [index, {}]))],
  ])('refuses values that are %s, where the schema sets no bound', async (_what, folderOverrides) => {
    const request = { patch: { folderOverrides } };
    expect(ipcTable['app:update-settings'].input.safeParse(request).success).toBe(true);
    const { call, reached } = harness();
    expect(await call('app:update-settings', request)).toMatchObject({ error: { code: 'ipc-bad-input' } });
    expect(reached).toEqual([]);
  });

  it('refuses values that are nested too deeply to be looked at', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 1000; level += 1) deep = { deep };
    expect(await harness().call('agents:list', deep)).toEqual({
      ok: false,
      error: {
        code: 'ipc-bad-input',
        message: 'The call of agents:list was refused: it is nested too deeply.',
      },
    });
  });

  it('a patch of settings holds what was sent and no default', async () => {
    const { call, reached } = harness();
    await call('app:update-settings', { patch: { stepLimit: 3 } });
    expect(reached).toEqual([{ name: 'app.updateSettings', args: [{ stepLimit: 3 }] }]);
  });
});
