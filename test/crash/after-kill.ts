/** What must hold in a folder whose process was killed: it opens by itself, nothing is half, and every way on and back is there. */

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openSession, type Session } from '../../electron/session/index.ts';
import { isTempName } from '../../electron/workspace/index.ts';
import { ABSENT } from '../../shared/file-state.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import type { Plan } from '../../shared/rewind.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { shown as readable, readTree, type Tree } from '../property/tree.ts';
import type { Model } from './prepared-history.ts';

export interface Case {
  readonly root: string;
  /** What the step was. */
  readonly step: string;
  readonly model: Model;
  /** The folder before the step, and as an undisturbed step leaves it. */
  readonly before: Tree;
  readonly whole: Tree;
  /** For messages. */
  readonly shown: string;
}

/** Steps that a person would ask for once more. */
const GO_ON = new Set(['rewind', 'recovery', 'redo', 'prune', 'import']);

const FILES_ONLY = { scope: 'files-only', conflicts: 'abort' } as const;

async function opened<T>(root: string, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession({
    folder: root,
    access: 'write',
    settings: { ...DEFAULT_SETTINGS, durability: 'process' },
    agentOf: () => {
      throw new Error('No agent is needed here.');
    },
    holder: 'a test',
    backgroundBaseline: false,
  });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** Every check; the ways back and on each start from a folder that was just killed. */
export async function checkAfterKill(at: Case): Promise<void> {
  const copy = `${at.root}-copy`;
  if (GO_ON.has(at.step)) execFileSync('cp', ['-a', at.root, copy]);
  await opened(at.root, async (session) => {
    await checkRecovered(session, at);
    await checkWayBack(session, at);
    await checkVerified(session, at);
  });
  if (!GO_ON.has(at.step)) return;
  await opened(copy, (session) => checkWayOn(session, { ...at, root: copy }));
  rmSync(copy, { recursive: true });
}

async function checkRecovered(session: Session, at: Case): Promise<void> {
  const { root, step, before, whole, shown } = at;
  const tree = readTree(root);
  for (const path of new Set([...before.keys(), ...tree.keys(), ...whole.keys()])) {
    const [old, present, fresh] = [before, tree, whole].map((one) => one.get(path) ?? ABSENT);
    const states = [old, fresh];
    // One of another kind makes room first, and the other one then appears as a whole.
    if (old!.kind !== fresh!.kind && (step === 'rewind' || step === 'redo' || step === 'recovery'))
      states.push(ABSENT);
    expect(states, `${shown}: ${path} is old or new`).toContainEqual(present);
    expect(isTempName(path.split('/').at(-1) ?? ''), `${shown}: ${path} is left over`).toBe(false);
  }
  const own = readdirSync(join(root, '.osfoundry'), { recursive: true, encoding: 'utf8' });
  const leftOver = own.filter((name) => name.endsWith('.tmp') || name.startsWith('checkpoints/tmp/'));
  expect(leftOver, `${shown}: left over in the history`).toEqual([]);
  expect(
    session.history().filter(({ outcome }) => outcome === 'running'),
    shown,
  ).toEqual([]);
  await checkPlans(session, at, tree);
}

async function checkVerified(session: Session, { shown }: Case): Promise<void> {
  expect(await session.verify(), shown).toMatchObject({ ok: true, missing: [], damaged: [] });
}

/** Of each turn that can be undone: what it wants is how the model says it was, and nobody is said to have changed anything. */
async function checkPlans(session: Session, at: Case, tree: Tree): Promise<void> {
  const entries = session.history();
  const isPartial = entries.some(({ kind, outcome }) => kind === 'rewind' && outcome !== 'done');
  for (const { turn } of entries.filter(({ kind, status }) => kind === 'agent' && status === 'kept')) {
    const shown = `${at.shown}: plan of turn ${turn}`;
    const plan = await session.plan(turn);
    const wanted = at.model.get(turn)!;
    for (const { path, verdict, wanted: state } of plan.items) {
      // The desktop app kept no after-states: there it can't be told.
      expect(
        at.step === 'import' ? ['apply', 'same', 'conflict'] : ['apply', 'same'],
        `${shown}: ${path}`,
      ).toContain(verdict);
      expect(state, `${shown}: ${path}`).toEqual(wanted.get(path) ?? ABSENT);
    }
    // What an unfinished way back has put back already is no longer part of the later turns.
    if (!isPartial || turn === Math.min(...at.model.keys()))
      expect(readable(applied(tree, plan)), shown).toEqual(readable(wanted));
  }
}

function applied(tree: Tree, { items }: Plan): Tree {
  const result = new Map(tree);
  for (const { path, action, wanted } of items) {
    if (action === 'delete') result.delete(path);
    else if (action === 'write') result.set(path, wanted);
    // Two names of one file: what is written in place has both.
    if (path === 'shared') result.set('other-name', wanted);
  }
  return result;
}

/** Back to byte for byte what was before the step, also after it came to its end. */
async function checkWayBack(session: Session, at: Case): Promise<void> {
  const { root, step, model, before, shown } = at;
  const killed = readTree(root);
  const newest = Math.max(...model.keys());
  const history = session.history();
  const expectTree = (tree: Tree, what: string): void =>
    expect(readable(readTree(root)), `${shown}: ${what}`).toEqual(readable(tree));
  switch (step) {
    case 'write':
    case 'delete':
    case 'move':
    case 'command': {
      if (!history.some(({ turn }) => turn === newest)) return expectTree(before, 'nothing was begun');
      await session.rewind({ turn: asTurnNumber(newest), ...FILES_ONLY });
      expectTree(before, 'put back');
      await session.redo();
      return expectTree(killed, 'put forth again');
    }
    case 'rewind':
    case 'recovery':
      if (session.snapshot().redoable) await session.redo();
      return expectTree(before, 'put back');
    case 'redo': {
      const inForce = history.filter(({ kind, status }) => kind === 'agent' && status === 'kept');
      const oldest = inForce.at(-1);
      if (oldest !== undefined) await session.rewind({ turn: oldest.turn, ...FILES_ONLY });
      return expectTree(before, 'put back');
    }
    default:
      return expectTree(before, 'untouched');
  }
}

/** The same step once more comes to its end. */
async function checkWayOn(session: Session, at: Case): Promise<void> {
  const { root, step, model, whole, shown } = at;
  const first = asTurnNumber(Math.min(...model.keys()));
  const kept = session.history().filter(({ kind, status }) => kind === 'agent' && status === 'kept');
  switch (step) {
    case 'rewind':
    case 'recovery':
      if (kept.length > 0) await session.rewind({ turn: first, ...FILES_ONLY });
      break;
    case 'redo':
      if (session.snapshot().redoable) await session.redo();
      break;
    case 'prune':
      await session.prune({ keepTurns: 1 });
      expect((await session.verify()).orphans, shown).toEqual([]);
      break;
    case 'import':
      expect(
        kept.map(({ turn }) => turn),
        shown,
      ).toEqual([first]);
      await session.rewind({ turn: first, scope: 'files-only', conflicts: 'overwrite' });
      return expect(readable(readTree(root)), shown).toEqual(readable(model.get(first)!));
    default:
      return;
  }
  expect(readable(readTree(root)), `${shown}: continued`).toEqual(readable(whole));
  await checkVerified(session, at);
}
