/** Turns the chat so far into model messages. */

import type { PriorMessage } from '../ports.ts';
import { isToolName } from '../tools/parse-call.ts';
import type { ModelMessage } from './model-client.ts';

export function toModelMessages(history: readonly PriorMessage[]): ModelMessage[] {
  return history.flatMap((message, index) => fromPrior(message, index));
}

function fromPrior(message: PriorMessage, index: number): ModelMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', text: message.text }];
    case 'assistant':
      // Providers refuse an empty message.
      return message.text.trim() === '' ? [] : [{ role: 'assistant', text: message.text, toolCalls: [] }];
    case 'note':
      return [{ role: 'user', text: `[Note from the app: ${message.text}]` }];
    case 'tool': {
      const call = message.tool;
      if (call === undefined || !isToolName(call.name)) {
        // A call of another agent, with tools that this model doesn't have.
        return [{ role: 'assistant', text: `[Earlier, another agent did: ${message.text}]`, toolCalls: [] }];
      }
      // Ids of other providers may hold characters that this one refuses.
      const callId = `earlier_${index}`;
      return [
        { role: 'assistant', text: '', toolCalls: [{ callId, name: call.name, input: call.input }] },
        { role: 'tool', callId, name: call.name, output: call.output, ok: call.ok },
      ];
    }
  }
}
