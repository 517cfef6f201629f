/** The tool calls of an external agent by id: a call may first be heard of from a permission, an announcement or an update, in any order. */

import type {
  ToolCall,
  ToolCallContent,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk';
import { createTwoFilesPatch } from 'diff';
import { z } from 'zod';
import type { ToolStatus } from '../../../shared/transcript.ts';
import type { ForeignApproval, ForeignToolCall } from '../ports.ts';

const STATUS: Readonly<Record<ToolCallStatus, ToolStatus>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
};

const commandInput = z.object({
  command: z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))]),
});

interface Known {
  readonly title: string;
  readonly status: ToolStatus;
  readonly kind: ToolKind | null;
  readonly content: readonly ToolCallContent[];
  readonly rawInput: unknown;
}

export class ForeignCalls {
  readonly #calls = new Map<string, Known>();

  /** Inserts or updates; fields that an update leaves out stay. */
  merge(update: ToolCall | ToolCallUpdate): ForeignToolCall {
    const before = this.#calls.get(update.toolCallId);
    const known: Known = {
      title: update.title ?? before?.title ?? 'Tool call',
      status: update.status == null ? (before?.status ?? 'pending') : STATUS[update.status],
      kind: update.kind ?? before?.kind ?? null,
      content: update.content ?? before?.content ?? [],
      rawInput: update.rawInput ?? before?.rawInput,
    };
    this.#calls.set(update.toolCallId, known);
    const output = outputOf(known.content);
    return {
      callId: update.toolCallId,
      title: known.title,
      status: known.status,
      ...(output === '' ? {} : { output }),
      ...(known.rawInput === undefined ? {} : { input: known.rawInput }),
    };
  }

  /** What the person is shown before they allow a call. */
  approvalOf(callId: string): ForeignApproval {
    const known = this.#calls.get(callId);
    const input = commandInput.safeParse(known?.rawInput);
    // Some name the command in nothing but the title of the call.
    const command = input.success ? input.data.command : known?.kind === 'execute' ? known.title : undefined;
    const diffs = known?.content.filter((part) => part.type === 'diff') ?? [];
    const diff = diffs
      .map(({ path, oldText, newText }) => createTwoFilesPatch(path, path, oldText ?? '', newText))
      .join('\n');
    const path = diffs[0]?.path;
    return {
      callId,
      title: known?.title ?? 'Tool call',
      ...(command === undefined ? {} : { command }),
      ...(diff === '' ? {} : { diff }),
      ...(path === undefined ? {} : { path }),
    };
  }

  /** The calls that never ended, for the end of a turn: an agent does not always say that a cancelled one is over. */
  cancelOpen(): ForeignToolCall[] {
    const open = [...this.#calls].filter(([, { status }]) => status === 'pending' || status === 'running');
    this.#calls.clear();
    return open.map(([callId, { title }]) => ({ callId, title, status: 'cancelled' }));
  }
}

function outputOf(content: readonly ToolCallContent[]): string {
  const parts = content.map((part) => {
    switch (part.type) {
      case 'content':
        return part.content.type === 'text' ? part.content.text : `[${part.content.type}]`;
      case 'diff':
        return createTwoFilesPatch(part.path, part.path, part.oldText ?? '', part.newText);
      case 'terminal':
        return '[terminal]';
      default:
        return '';
    }
  });
  return parts.filter((part) => part !== '').join('\n');
}
