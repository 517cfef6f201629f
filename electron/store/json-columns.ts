/** Lists and reports that stand in a row as JSON. Anybody may have edited a row, so each is checked when it is read. */

import { z } from 'zod';
import type { NotCovered } from '../../shared/history.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import type { RewindReport } from '../../shared/rewind.ts';

const strings = z.array(z.string());
export const notCoveredList = z.array(z.object({ path: z.string(), reason: z.string() }));
const turnNumber = z.number().int().min(1).transform(asTurnNumber);
export const rewindReport = z.object({
  rewind: turnNumber.nullable(),
  turn: turnNumber,
  kind: z.enum(['rewind', 'redo']),
  scope: z.enum(['files-and-chat', 'files-only', 'chat-only']),
  restored: strings,
  deleted: strings,
  kept: strings,
  conflicts: strings,
  failed: notCoveredList,
  notDone: strings,
  turns: z.array(turnNumber).exactOptional(),
}) satisfies z.ZodType<RewindReport>;

export const readStrings = (text: unknown): string[] => read(strings, text) ?? [];
export const readNotCovered = (text: unknown): NotCovered[] => read(notCoveredList, text) ?? [];
export const readReport = (text: unknown): RewindReport | null => read(rewindReport, text);

export function read<T>(schema: z.ZodType<T>, text: unknown): T | null {
  if (typeof text !== 'string') return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
