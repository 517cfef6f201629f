/** The shape of a stored message: anybody may have edited the index, and a window must not fall over what it draws. */

import { z } from 'zod';
import { ERROR_CODES } from '../../shared/errors.ts';
import type { ChatItem } from '../../shared/transcript.ts';
import { notCoveredList, rewindReport } from './json-columns.ts';

export const chatItem = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'assistant']), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    callId: z.string(),
    tool: z.string(),
    title: z.string(),
    input: z.unknown(),
    status: z.enum(['pending', 'awaiting-approval', 'running', 'done', 'failed', 'cancelled']),
    output: z.string().exactOptional(),
    error: z
      .object({ code: z.enum(ERROR_CODES), message: z.string(), path: z.string().exactOptional() })
      .exactOptional(),
  }),
  z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), text: z.string() }),
  z.object({
    type: z.literal('turn-end'),
    outcome: z.enum(['running', 'done', 'failed', 'stopped', 'interrupted']),
    files: z.array(
      z.object({ path: z.string(), change: z.enum(['created', 'modified', 'deleted', 'mode']) }),
    ),
    notCovered: notCoveredList,
  }),
  z.object({ type: z.literal('rewind'), report: rewindReport }),
]) satisfies z.ZodType<ChatItem>;
