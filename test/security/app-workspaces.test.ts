/** Which folder is open in which window, and whose history is used only after asking. */

import { beforeEach, describe, expect, it } from 'vitest';
import { Workspaces, type WorkspacesOptions } from '../../electron/app/workspaces.ts';
import type { Session } from '../../electron/session/types.ts';
import { AppError } from '../../shared/errors.ts';
import type { AppEvent } from '../../shared/ipc.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import type { SessionEvent } from '../../shared/transcript.ts';

interface FakeSession extends Session {
  readonly listeners: Set<(event: SessionEvent) => void>;
  closed: number;
}

let known: Set<string>;
let histories: Map<string, { storeId: string | null; turns: number | null }>;
let sessions: FakeSession[];
let setAside: string[];
let emitted: { windowId: number; event: AppEvent }[];
let openingFails: Error | null;
let closing: Promise<void>;

beforeEach(() => {
  known = new Set();
  histories = new Map();
  sessions = [];
  setAside = [];
  emitted = [];
  openingFails = null;
  closing = Promise.resolve();
});

function fakeSession(root: string): FakeSession {
  const listeners = new Set<(event: SessionEvent) => void>();
  let storeId = histories.get(root)?.storeId ?? `new-store-of-${root}`;
  const session = {
    root,
    get storeId() {
      return storeId;
    },
    listeners,
    closed: 0,
    subscribe: (listener: (event: SessionEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forgetHistory: async () => {
      storeId = `${storeId}-anew`;
    },
    close: async () => {
      session.closed += 1;
      await closing;
    },
  };
  return session as unknown as FakeSession;
}

function workspaces(overrides: Partial<WorkspacesOptions> = {}): Workspaces {
  return new Workspaces({
    locate: async (folder) => ({
      root: folder.replace('/link-to', ''),
      contain: async (path) => parseRelPath(path),
    }),
    findHistory: async (root) => histories.get(root) ?? null,
    setHistoryAside: async (root) => {
      setAside.push(root);
      histories.delete(root);
    },
    openSession: async (root) => {
      if (openingFails !== null) throw openingFails;
      const session = fakeSession(root);
      sessions.push(session);
      return session;
    },
    knownStores: { has: (id) => known.has(id), remember: async (id) => void known.add(id) },
    onOpened: async () => undefined,
    emit: (windowId, event) => emitted.push({ windowId, event }),
    ...overrides,
  });
}

const HISTORY_CHANGED: SessionEvent = { type: 'history-changed' };

describe('opening a folder', () => {
  it('shows it in that window alone, under an id of its own', async () => {
    const all = workspaces();
    const opening = await all.open(1, '/a');
    expect(opening).toMatchObject({ kind: 'opened', workspace: { name: 'a', path: '/a' } });
    expect(all.of(1)?.session.root).toBe('/a');
    expect(all.of(2)).toBeNull();
    expect(known).toEqual(new Set(['new-store-of-/a']));
  });

  it('shares one session between windows, and tells each of its events under its own id', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    await all.open(2, '/link-to/a');
    expect(sessions).toHaveLength(1);
    expect(all.of(1)?.workspaceId).not.toBe(all.of(2)?.workspaceId);
    for (const listener of sessions[0]!.listeners) listener(HISTORY_CHANGED);
    expect(
      emitted.map(({ windowId, event }) => [windowId, 'workspaceId' in event && event.workspaceId]),
    ).toEqual([
      [1, all.of(1)?.workspaceId],
      [2, all.of(2)?.workspaceId],
    ]);
  });

  it('opens one session when two windows ask at the same moment', async () => {
    const all = workspaces();
    await Promise.all([all.open(1, '/a'), all.open(2, '/a')]);
    expect(sessions).toHaveLength(1);
  });

  it('again in the same window changes nothing', async () => {
    const all = workspaces();
    const first = await all.open(1, '/a');
    expect(await all.open(1, '/a')).toEqual(first);
    expect(sessions[0]!.listeners.size).toBe(1);
  });

  it('in place of another closes that one', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    await all.open(1, '/b');
    expect(sessions.map(({ root, closed }) => [root, closed])).toEqual([
      ['/a', 1],
      ['/b', 0],
    ]);
    expect(all.of(1)?.session.root).toBe('/b');
  });

  it('that fails leaves the window with the folder it had', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    openingFails = new AppError('store-locked', 'Another program holds it.');
    await expect(all.open(1, '/b')).rejects.toThrow('Another program holds it.');
    expect(all.of(1)?.session.root).toBe('/a');
    expect(sessions[0]!.closed).toBe(0);
  });
});

describe('a history that this installation has not made', () => {
  beforeEach(() => histories.set('/clone', { storeId: 'foreign', turns: 3 }));

  async function ask(all: Workspaces, windowId = 1): Promise<string> {
    const opening = await all.open(windowId, '/clone');
    if (opening.kind !== 'ask-trust') throw new Error('It did not ask.');
    expect(opening).toMatchObject({ path: '/clone', turns: 3 });
    expect(sessions).toEqual([]);
    return opening.openingId;
  }

  it('is not opened before the person has answered', async () => {
    const all = workspaces();
    await ask(all);
    expect(all.of(1)).toBeNull();
    expect(known.has('foreign')).toBe(false);
  });

  it('is used, and known from then on, when the person says so', async () => {
    const all = workspaces();
    expect(await all.answerTrust(1, await ask(all), 'use')).toMatchObject({ kind: 'opened' });
    expect(setAside).toEqual([]);
    await all.close(1);
    expect(await all.open(1, '/clone')).toMatchObject({ kind: 'opened' });
  });

  it('is set aside before anything opens it, when the person says so', async () => {
    const all = workspaces();
    expect(await all.answerTrust(1, await ask(all), 'set-aside')).toMatchObject({ kind: 'opened' });
    expect(setAside).toEqual(['/clone']);
    expect(known).toEqual(new Set(['new-store-of-/clone']));
  });

  it('stays untouched when the person cancels', async () => {
    const all = workspaces();
    expect(await all.answerTrust(1, await ask(all), 'cancel')).toEqual({ kind: 'cancelled' });
    expect([sessions, setAside]).toEqual([[], []]);
  });

  it('is decided once, and only by the window that was asked', async () => {
    const all = workspaces();
    const openingId = await ask(all);
    await expect(all.answerTrust(2, openingId, 'use')).rejects.toThrow(AppError);
    await all.answerTrust(1, openingId, 'cancel');
    await expect(all.answerTrust(1, openingId, 'use')).rejects.toThrow(AppError);
    await expect(all.answerTrust(1, 'made-up', 'use')).rejects.toThrow(AppError);
    expect(sessions).toEqual([]);
  });

  it('whose id can not be read is asked about too', async () => {
    histories.set('/clone', { storeId: null, turns: null });
    expect(await workspaces().open(1, '/clone')).toMatchObject({ kind: 'ask-trust', turns: null });
  });

  it('that began anew after "Forget history" is known', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    await all.forgetHistory(1);
    expect(known.has('new-store-of-/a-anew')).toBe(true);
  });
});

describe('closing', () => {
  it('ends the session with the last window that shows the folder', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    await all.open(2, '/a');
    await all.close(1);
    expect([sessions[0]!.closed, sessions[0]!.listeners.size, all.of(1)]).toEqual([0, 1, null]);
    await all.close(2);
    expect(sessions[0]!.closed).toBe(1);
  });

  it('is over before the folder is opened again', async () => {
    let finish = () => {};
    closing = new Promise((resolve) => {
      finish = resolve;
    });
    const all = workspaces();
    await all.open(1, '/a');
    const closed = all.close(1);
    const reopened = all.open(2, '/a');
    await Promise.resolve();
    expect(sessions).toHaveLength(1);
    finish();
    await Promise.all([closed, reopened]);
    expect(sessions).toHaveLength(2);
  });

  it('all at quit waits for every session', async () => {
    const all = workspaces();
    await all.open(1, '/a');
    await all.open(2, '/b');
    await all.closeAll(1000);
    expect(sessions.map(({ closed }) => closed)).toEqual([1, 1]);
  });

  it('all at quit gives up on a session that hangs', async () => {
    closing = new Promise(() => undefined);
    const all = workspaces();
    await all.open(1, '/a');
    await all.closeAll(20);
    expect(sessions[0]!.closed).toBe(1);
  });
});
