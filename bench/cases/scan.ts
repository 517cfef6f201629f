/**
 * Looking at a folder before and after a step nobody can see into, beside a private shadow repository of git that takes
 * one snapshot of the same folder.
 */

import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Baseline } from '../../electron/session/baseline.ts';
import { recordIn } from '../../electron/session/opaque-step.ts';
import { ProgressBoard } from '../../electron/session/progress-board.ts';
import { type CheckpointStore, openStore } from '../../electron/store/index.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { type BenchCase, inTurns, millisecondsOf, type Row, rowOf } from '../case.ts';
import { makeSourceTree, type SourceTree } from '../source-tree.ts';

const run = promisify(execFile);

const TREES = [
  { files: 4_700, firstRounds: 3, rounds: 15 },
  { files: 45_000, firstRounds: 2, rounds: 9 },
];
const MOST_BLOCKED_MS = 50;
const CHANGED_FILES = 4;
const SNAPSHOT = 'git add -A && git write-tree';
/** Times of files that were changed this recently don't tell of the next change; both sides then read them again. */
const SETTLING_MS = 2_200;

export const scan: BenchCase = {
  name: 'scan',
  about:
    'a look at the folder before a command and one after it, beside one `git add -A && git write-tree` of a shadow repository',
  async run(say) {
    const rows: Row[] = [];
    for (const { files, firstRounds, rounds } of TREES) {
      const work = await realpath(await mkdtemp(join(tmpdir(), 'rewind-scan-')));
      try {
        const root = join(work, 'tree');
        await mkdir(root);
        const tree = await makeSourceTree(root, files);
        await setTimeout(SETTLING_MS);
        say(`  ${files} files`);
        rows.push(...(await compare(tree, work, firstRounds, rounds)));
      } finally {
        await rm(work, { recursive: true, force: true });
      }
    }
    return rows;
  },
};

async function compare(tree: SourceTree, work: string, firstRounds: number, rounds: number): Promise<Row[]> {
  const { root, files } = tree;
  const blockedMs: number[] = [];
  let ours = await openBaseline(root);
  let shadow = '';
  const first = await inTurns(
    firstRounds,
    async (round) => {
      await ours.close();
      // Moved, not removed: where many files were removed a moment ago, making new ones takes several times as long.
      await rename(join(root, '.osfoundry'), join(work, `history-${round}`));
      ours = await openBaseline(root);
      const blocked = watchEventLoop();
      const tookMs = await millisecondsOf(() => ours.baseline.scan());
      blockedMs.push(blocked());
      return tookMs;
    },
    async (round) => {
      shadow = join(work, `shadow-${round}`);
      await git(['init', '--quiet', '--bare', shadow]);
      return millisecondsOf(() => git(['add', '-A'], { GIT_DIR: shadow, GIT_WORK_TREE: root }));
    },
  );

  const entry = ours.store.beginTurn({ label: 'bench', agent: 'bench', chatHead: null });
  const found = recordIn(entry);
  const steps = await inTurns(
    rounds,
    async (round) => {
      const blocked = watchEventLoop();
      const before = await millisecondsOf(() => ours.baseline.scan());
      await changeFew(tree, round);
      const after = await millisecondsOf(() => ours.baseline.scan({ found }));
      blockedMs.push(blocked());
      return before + after;
    },
    () =>
      millisecondsOf(() =>
        run('sh', ['-c', SNAPSHOT], { env: gitEnvironment({ GIT_DIR: shadow, GIT_WORK_TREE: root }) }),
      ),
  );
  const seen = ours.store.captures(entry.turn).filter(({ post }) => post?.kind === 'content').length;
  const changed = Math.min(files.length, rounds * (CHANGED_FILES + 1));
  if (seen !== changed) throw new Error(`The scans saw ${seen} changed files instead of ${changed}.`);
  await ours.close();

  const of = `, ${files.length} files`;
  const firstAdd = { unit: 'ms', peer: "shadow repository's first git add -A", must: 1, goal: 1 };
  const snapshot = { unit: 'ms', peer: SNAPSHOT, must: 1, goal: 0.5 };
  const blocking = { unit: 'ms', peer: 'limit', must: 1, goal: 1 };
  return [
    rowOf({ name: `first baseline${of}`, ...firstAdd }, first.ours, first.peer),
    rowOf({ name: `scan before + scan after${of}`, ...snapshot }, steps.ours, steps.peer),
    rowOf(
      { name: `longest block of the event loop${of}`, ...blocking },
      [Math.max(...blockedMs)],
      [MOST_BLOCKED_MS],
    ),
  ];
}

interface OpenBaseline {
  readonly baseline: Baseline;
  readonly store: CheckpointStore;
  close(): Promise<void>;
}

async function openBaseline(root: string): Promise<OpenBaseline> {
  const store = await openStore({ root, access: 'write' });
  const progress = new ProgressBoard(() => undefined);
  const baseline = new Baseline({ store, root, settings: DEFAULT_SETTINGS, progress });
  return {
    baseline,
    store,
    close: async () => {
      await baseline.close();
      store.close();
    },
  };
}

/** Edits files that no round has edited yet, and makes one. */
async function changeFew({ root, files }: SourceTree, round: number): Promise<void> {
  for (let index = 0; index < CHANGED_FILES; index += 1) {
    const file = files[(round * CHANGED_FILES + index) * 7] ?? '';
    await appendFile(join(root, file), `// round ${round}\n`);
  }
  await writeFile(join(root, `made-${round}.txt`), `round ${round}\n`);
}

/** The returned function says how long, at most, nothing else could run since then. */
function watchEventLoop(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
}

const git = (args: readonly string[], place: NodeJS.ProcessEnv = {}): Promise<unknown> =>
  run('git', [...args], { env: gitEnvironment(place) });

/** The settings of the machine and of the person aside. */
const gitEnvironment = (place: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...place,
});
