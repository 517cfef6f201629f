/** Remembers what a rewind is about to do, so that after a crash its report can say what is done and what is not. */

import { z } from 'zod';
import type { TurnNumber } from '../../shared/ids.ts';
import type { CheckpointStore } from '../store/types.ts';

const META_KEY = 'rewind-under-way';
const path = z.string();

const schema = z.object({
  rewind: z.int().positive(),
  /** Not only some paths of the turns. */
  whole: z.boolean(),
  same: z.array(path),
  toDo: z.array(path),
  kept: z.array(path),
  conflicts: z.array(path),
  failed: z.array(z.object({ path, reason: z.string() })),
});

export type Intended = Omit<Readonly<z.infer<typeof schema>>, 'rewind'>;

/** Committed before the first file changes. */
export function rememberUnderWay(store: CheckpointStore, rewind: TurnNumber, intended: Intended): void {
  store.setMeta(META_KEY, JSON.stringify({ rewind, ...intended }));
}

/** null when the rewind had not come so far as to change anything. */
export function underWay(store: CheckpointStore, rewind: TurnNumber): Intended | null {
  const text = store.getMeta(META_KEY);
  if (text === null) return null;
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success && parsed.data.rewind === rewind ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
