/**
 * Remembers that a step is under way into which nobody can see. After a crash the folder is looked at again, so that what
 * the step did until then is captured in its turn and not taken for the person's work.
 */

import { isTurnNumber, type TurnNumber } from '../../shared/ids.ts';
import type { CheckpointStore } from '../store/types.ts';
import type { Baseline } from './baseline.ts';
import { recordIn } from './opaque-step.ts';

const META_KEY = 'step-under-way';

export const beginStep = (store: CheckpointStore, turn: TurnNumber): void =>
  store.setMeta(META_KEY, String(turn));

export const endStep = (store: CheckpointStore): void => store.setMeta(META_KEY, '');

/** Run at opening, before anything else is done in the folder. Returns what it found, in words for people. */
export async function captureInterruptedStep(store: CheckpointStore, baseline: Baseline): Promise<string[]> {
  const turn = Number(store.getMeta(META_KEY) ?? '');
  if (!isTurnNumber(turn)) return [];
  if (store.entry(turn) !== null) await baseline.scan({ found: recordIn(store.resumeTurn(turn)) });
  endStep(store);
  return [
    `Turn ${turn} was cut off while a command ran; all that changed in the folder until now is counted with it.`,
  ];
}
