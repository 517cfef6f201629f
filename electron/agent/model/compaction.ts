/**
 * Keeps a long chat inside the model's window: first old tool results are shortened, then the older part is replaced by a
 * summary. Only what the model is sent is compacted; the transcript on disk stays whole.
 */

import type { ModelClient, ModelMessage } from './model-client.ts';

/** A rule of thumb for English and code; only the order of magnitude matters here. */
const CHARACTERS_PER_TOKEN = 4;
/** Room for the answer and for tool results of the step to come. */
const FULL_AT = 0.75;
const KEPT_MESSAGES = 8;
const SHORTENED_OUTPUT_CHARACTERS = 400;

export const estimateTokens = (messages: readonly ModelMessage[]): number =>
  Math.ceil(
    messages.reduce((sum, message) => sum + JSON.stringify({ ...message, original: undefined }).length, 0) /
      CHARACTERS_PER_TOKEN,
  );

export const isNearlyFull = (tokens: number, contextWindow: number): boolean =>
  tokens > contextWindow * FULL_AT;

/** Shortens results of tools in all but the newest messages. */
export function shortenOldResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const keptFrom = messages.length - KEPT_MESSAGES;
  return messages.map((message, index) =>
    index < keptFrom && message.role === 'tool' && message.output.length > SHORTENED_OUTPUT_CHARACTERS
      ? {
          ...message,
          output: `${message.output.slice(0, SHORTENED_OUTPUT_CHARACTERS)}\n[shortened; call the tool again if you need the rest]`,
        }
      : message,
  );
}

/** Replaces all but the newest messages by a summary that the model writes. Returns them as they are when there is nothing to cut. */
export async function summariseOld(
  client: ModelClient,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<ModelMessage[]> {
  const cut = whereToCut(messages);
  if (cut === 0) return [...messages];
  const old = messages.slice(0, cut);
  const { text } = await client.step({
    system: 'You condense a conversation between a person and a coding agent, for the agent to go on from.',
    messages: [
      {
        role: 'user',
        text: `Condense this conversation. Keep: what the person wants, decisions, files that matter and their state, what is still open. Leave out: contents of files.\n\n${asText(old)}`,
      },
    ],
    withTools: false,
    signal,
    onText: () => undefined,
  });
  return [
    { role: 'user', text: `[Summary of the conversation so far, made by the app]\n${text}` },
    ...messages.slice(cut),
  ];
}

/** A cut must not part a tool call from its result: only before what the person said, or before an assistant's message. */
function whereToCut(messages: readonly ModelMessage[]): number {
  for (let cut = Math.max(0, messages.length - KEPT_MESSAGES); cut > 0; cut -= 1) {
    if (messages[cut]?.role !== 'tool') return cut;
  }
  return 0;
}

/** Each message cut short, so that the request for a summary fits where the conversation itself did not. */
const asText = (messages: readonly ModelMessage[]): string => messages.map(asLine).join('\n');

function asLine(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `Person: ${message.text.slice(0, 2000)}`;
    case 'assistant': {
      const calls = message.toolCalls.map(
        ({ name, input }) => ` [${name} ${JSON.stringify(input).slice(0, 200)}]`,
      );
      return `Agent: ${message.text.slice(0, 1000)}${calls.join('')}`;
    }
    case 'tool':
      return `Result of ${message.name}: ${message.output.slice(0, 200)}`;
  }
}
