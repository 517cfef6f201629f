/** Opens the baseline of a folder over a real history, and says what its scans find in a form that is easy to compare. */

import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sha256Of } from '../../electron/base/hash.ts';
import { Baseline } from '../../electron/session/baseline.ts';
import { ProgressBoard } from '../../electron/session/progress-board.ts';
import { type CheckpointStore, openStore } from '../../electron/store/index.ts';
import type { ScanResult } from '../../electron/workspace/index.ts';
import type { FileState } from '../../shared/file-state.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings.ts';
import type { SessionEvent } from '../../shared/transcript.ts';

export interface TestBaseline {
  readonly store: CheckpointStore;
  readonly baseline: Baseline;
  readonly progress: ProgressBoard;
  readonly events: SessionEvent[];
  /** A scan after a step: what changed, by path. */
  changes(): Promise<Record<string, [before: FileState, after: FileState]>>;
  /** What a scan does not cover: reasons by path. */
  notCovered(): Promise<Record<string, string>>;
  /** The states that are remembered, by path. */
  rows(): Record<string, FileState>;
  close(): Promise<void>;
}

export async function baselineOn(root: string, settings: Partial<Settings> = {}): Promise<TestBaseline> {
  const all = { ...DEFAULT_SETTINGS, ...settings };
  const store = await openStore({
    root,
    access: 'write',
    maxFileBytes: all.maxFileBytes,
    durability: all.durability,
  });
  const events: SessionEvent[] = [];
  const progress = new ProgressBoard((event) => events.push(event));
  const baseline = new Baseline({ store, root, settings: all, progress });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await baseline.close();
    store.close();
  };
  onTestFinished(close);
  return {
    store,
    baseline,
    progress,
    events,
    changes: async () => {
      const found: ScanResult[] = [];
      await baseline.scan({
        found: async (result) => {
          found.push(result);
        },
      });
      const changes = found.flatMap((result) => result.changes);
      return Object.fromEntries(changes.map(({ path, before, after }) => [path, [before, after]]));
    },
    notCovered: async () => {
      const { notCovered } = await baseline.scan();
      return Object.fromEntries(notCovered.map(({ path, reason }) => [path, reason]));
    },
    rows: () => Object.fromEntries([...store.baseline()].map(({ path, state }) => [path, state])),
    close,
  };
}

export const content = (text: string | Uint8Array, mode = 0o644): FileState => ({
  kind: 'content',
  sha256: sha256Of(text),
  bytes: Buffer.from(text).length,
  mode,
});

export const directory = (mode = 0o755): FileState => ({ kind: 'directory', mode });

const FILES_AT_ONCE = 50;

/** Creates or overwrites files in place, with their parents; modes don't depend on the umask. */
export async function put(
  root: string,
  files: Record<string, string | Uint8Array>,
  mode = 0o644,
): Promise<void> {
  for (const directory of new Set(Object.keys(files).map((path) => dirname(path)))) {
    if (directory !== '.') await makeParents(root, `${directory}/file`);
  }
  const all = Object.entries(files);
  for (let from = 0; from < all.length; from += FILES_AT_ONCE) {
    await Promise.all(
      all.slice(from, from + FILES_AT_ONCE).map(async ([path, text]) => {
        await writeFile(join(root, path), text);
        await chmod(join(root, path), mode);
      }),
    );
  }
}

export async function makeDirectory(root: string, path: string, mode = 0o755): Promise<void> {
  await makeParents(root, path);
  await mkdir(join(root, path));
  await chmod(join(root, path), mode);
}

async function makeParents(root: string, path: string): Promise<void> {
  const parent = dirname(path);
  if (parent === '.') return;
  const isThere = await lstat(join(root, parent)).then(
    () => true,
    () => false,
  );
  if (!isThere) await makeDirectory(root, parent);
}
