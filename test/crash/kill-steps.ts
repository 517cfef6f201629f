/** The named steps in which a process is killed; what they do runs in the child, on a folder that the test has prepared. */

import type { FileSystem } from '../../electron/base/file-system.ts';
import { applyRewind, redo } from '../../electron/rewind/index.ts';
import { forgetStore } from '../../electron/store/index.ts';
import type { CaptureSink, WriteFunnel } from '../../electron/workspace/index.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import { type OpenFolder, openFolder } from '../helpers/open-folder.ts';
import { runCommandTurn } from './command-turn.ts';

export const FIRST_TURN = asTurnNumber(1);
const DECISIONS = { conflicts: 'abort' } as const;

export interface Watcher {
  readonly root: string;
  readonly fs: FileSystem;
  readonly onDatabaseCall: (call: string) => void;
  /** From now on calls count, as calls of this part of the step. */
  readonly phase: (name: string) => void;
  /** The number of the part of the command after which all is killed; null for none. */
  readonly killAfterPart: number | null;
}

export interface KillStep {
  readonly name: string;
  readonly run: (watcher: Watcher) => Promise<void>;
}

const open = ({ root, fs, onDatabaseCall }: Watcher): Promise<OpenFolder> =>
  openFolder(root, { fs, onDatabaseCall });

/** `capture` is all until the before-state is committed, `write` what comes then. */
function phased(entry: CaptureSink, phase: Watcher['phase'], changing: string): CaptureSink {
  return new Proxy(entry, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...rest: unknown[]) => unknown;
      if (key !== 'intend' && key !== 'applied') return method;
      return async (...rest: unknown[]): Promise<unknown> => {
        const result = await method(...rest);
        phase(key === 'intend' ? changing : 'capture');
        return result;
      };
    },
  });
}

const turnOf = (
  name: string,
  change: (funnel: WriteFunnel, sink: CaptureSink) => Promise<void>,
): KillStep => ({
  name,
  run: async (watcher) => {
    const { store, funnel } = await open(watcher);
    watcher.phase('capture');
    const entry = store.beginTurn({ label: name, agent: 'practice', chatHead: null });
    await change(funnel, phased(entry, watcher.phase, name));
    store.finishTurn(entry.turn, 'done');
  },
});

/** All of the opening; what there is to do depends on what was prepared. */
const opening = (name: string): KillStep => ({
  name,
  run: async (watcher) => {
    watcher.phase(name);
    await open(watcher);
  },
});

const text = (content: string): Buffer => Buffer.from(content);

export const STEPS: readonly KillStep[] = [
  turnOf('write', async (funnel, sink) => {
    await funnel.writeFile(sink, 'fresh/x/y', text('y'), { mode: 0o755 });
    await funnel.writeFile(sink, 'p/moved', text('written again'));
    await funnel.editFile(sink, 'l', { old: 'no link', new: 'edited' });
    await funnel.writeFile(sink, 'shared', text('n'.repeat(300_000)));
    await funnel.writeFile(sink, 'link', text('no link either'));
  }),
  turnOf('delete', async (funnel, sink) => {
    await funnel.deletePath(sink, 'p', { recursive: true });
    await funnel.deletePath(sink, 'link');
    await funnel.deletePath(sink, 'd');
  }),
  turnOf('move', async (funnel, sink) => {
    await funnel.movePath(sink, 'p', 'e/p2');
    await funnel.movePath(sink, 'd', 'l');
    await funnel.movePath(sink, 'link', 'e/link');
  }),
  {
    name: 'command',
    run: async (watcher) => {
      const folder = await open(watcher);
      await runCommandTurn(folder, watcher.phase, watcher.killAfterPart);
    },
  },
  {
    name: 'rewind',
    run: async (watcher) => {
      const folder = await open(watcher);
      watcher.phase('rewind');
      const plan = { turn: FIRST_TURN };
      await applyRewind({ ...folder, plan, decisions: DECISIONS, scope: 'files-only' });
    },
  },
  {
    name: 'redo',
    run: async (watcher) => {
      const folder = await open(watcher);
      watcher.phase('redo');
      await redo({ ...folder, decisions: DECISIONS });
    },
  },
  {
    name: 'prune',
    run: async (watcher) => {
      const { store } = await open(watcher);
      watcher.phase('prune');
      await store.prune({ keepTurns: 1 });
    },
  },
  {
    name: 'forget',
    run: async (watcher) => {
      watcher.phase('forget');
      await forgetStore(watcher.root, watcher.fs);
      watcher.phase('open anew');
      await open(watcher);
    },
  },
  opening('migration'),
  opening('import'),
  opening('recovery'),
];
