/** A turn of a session that runs a command, in phases: the look before, the command, the look after. */

import { practiceAgent } from '../../electron/agent/practice/practice-agent.ts';
import { Approvals } from '../../electron/session/approvals.ts';
import { Baseline } from '../../electron/session/baseline.ts';
import { ProgressBoard } from '../../electron/session/progress-board.ts';
import { runTurn } from '../../electron/session/turn.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { OpenFolder } from '../helpers/open-folder.ts';

/** Each changes a path of its own, at once. */
export const COMMAND_PARTS = [
  'echo fresh > fresh',
  'rm p/new',
  'rmdir p/empty',
  'mv p/moved moved',
  'chmod 700 d',
  'rm link',
  'mkdir -p made/in',
  'ln -s moved also',
];

/** Of the app first, with all that is in its group, and then of the command itself. */
const killAll = `kill -s KILL -- -${process.pid}; kill -s KILL 0`;

export async function runCommandTurn(
  folder: OpenFolder,
  phase: (name: string) => void,
  killAfterPart: number | null,
): Promise<void> {
  const { store, workspace } = folder;
  const progress = new ProgressBoard(() => undefined);
  const baseline = new Baseline({ store, root: workspace.root, settings: DEFAULT_SETTINGS, progress });
  const parts = [...COMMAND_PARTS];
  if (killAfterPart !== null) parts.splice(killAfterPart, 0, killAll);
  let looks = 0;
  const tellingLooks = new Proxy(baseline, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...rest: unknown[]) => unknown;
      if (key !== 'scan') return method;
      return async (...rest: unknown[]): Promise<unknown> => {
        looks += 1;
        if (looks === 2) phase('after-scan');
        const result = await method(...rest);
        phase(looks === 1 ? 'command' : 'turn end');
        return result;
      };
    },
  });
  phase('before-scan');
  await runTurn(
    {
      prompt: `run: ${parts.join('; ')}`,
      agent: practiceAgent,
      mode: 'full',
      signal: new AbortController().signal,
      started: () => undefined,
    },
    {
      parts: { ...folder, baseline: tellingLooks },
      approvals: new Approvals(() => undefined),
      seen: null,
      emit: () => undefined,
      usage: () => undefined,
    },
  );
  await baseline.close();
}
