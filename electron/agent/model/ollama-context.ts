/** Ollama loads models with a small context unless told otherwise, which is the common cause of broken tool calls; this says so. */

import { z } from 'zod';
import type { Provider } from '../../../shared/settings.ts';
import { openAiAddressOf } from './provider-model.ts';

const SMALL_CONTEXT_TOKENS = 16_384;
const WAIT_MS = 1000;

const running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })),
});

/** One sentence for the person, or null when the context is large enough. A model that is not loaded yet can't be asked. */
export async function ollamaContextWarning(
  provider: Provider,
  fetch: typeof globalThis.fetch,
): Promise<string | null> {
  if (provider.kind !== 'ollama') return null;
  const address = openAiAddressOf(provider).replace(/\/v1$/, '');
  const loaded = await fetch(`${address}/api/ps`, { signal: AbortSignal.timeout(WAIT_MS) })
    .then(async (answer) => running.parse(await answer.json()).models)
    .catch(() => []);
  const contextLength = loaded.find(
    ({ name }) => name === provider.model || name === `${provider.model}:latest`,
  )?.context_length;
  if (contextLength !== undefined && contextLength >= SMALL_CONTEXT_TOKENS) return null;
  const found =
    contextLength === undefined ? 'may have a small context' : `has a context of ${contextLength} tokens`;
  return `${provider.model} ${found} in Ollama, which breaks tool calls in longer chats. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768 or more.`;
}
