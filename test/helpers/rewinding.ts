/** A folder with its history, with the few calls that tests of going back make again and again. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { applyRewind, type Decisions, planRewind, redo } from '../../electron/rewind/index.ts';
import type { OpenEntry } from '../../electron/store/index.ts';
import type { WriteFunnel } from '../../electron/workspace/index.ts';
import type { PlanId, TurnNumber } from '../../shared/ids.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

export interface RewindOptions extends Partial<Decisions> {
  readonly paths?: readonly string[];
  readonly planId?: PlanId;
  readonly signal?: AbortSignal;
}

export interface RewindingFolder extends OpenFolder {
  /** A turn of an agent, from its begin to its end. */
  turn(work: (funnel: WriteFunnel, entry: OpenEntry) => Promise<unknown>): Promise<TurnNumber>;
  plan(turn: TurnNumber, paths?: readonly string[]): Promise<Plan>;
  /** Conflicts stop it unless something else is said. */
  rewind(turn: TurnNumber, options?: RewindOptions): Promise<RewindReport>;
  redo(options?: Partial<Decisions>): Promise<RewindReport>;
}

/** Closed when the test has ended, at the latest. */
export async function rewindingIn(
  root: string,
  options: Parameters<typeof openFolder>[1] = {},
): Promise<RewindingFolder> {
  const folder = await openFolder(root, options);
  onTestFinished(() => folder.store.close());
  return {
    ...folder,
    turn: async (work) => {
      const entry = folder.store.beginTurn({ label: 'a turn', agent: 'practice', chatHead: null });
      await work(folder.funnel, entry);
      folder.store.finishTurn(entry.turn, 'done');
      return entry.turn;
    },
    plan: (turn, paths) => planRewind({ ...folder, turn, ...(paths === undefined ? {} : { paths }) }),
    rewind: (turn, { paths, planId, signal, conflicts = 'abort', choices = {} } = {}) =>
      applyRewind({
        ...folder,
        plan: {
          turn,
          ...(paths === undefined ? {} : { paths }),
          ...(planId === undefined ? {} : { planId }),
        },
        decisions: { conflicts, choices },
        scope: 'files-only',
        ...(signal === undefined ? {} : { signal }),
      }),
    redo: ({ conflicts = 'abort', choices = {} } = {}) =>
      redo({ ...folder, decisions: { conflicts, choices } }),
  };
}

export const text = (content: string): Buffer => Buffer.from(content);

/** Files of the person, with the directories that they are in. */
export function putFiles(root: string, files: Record<string, string>, mode = 0o644): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), mode);
  }
}
