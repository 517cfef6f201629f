/** Asks a server which models it has, in each dialect. */

import { z } from 'zod';
import type { ModelList } from '../../../shared/app-state.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Provider } from '../../../shared/settings.ts';
import { openAiAddressOf } from './provider-model.ts';

type ListedProvider = Pick<Provider, 'kind' | 'baseUrl' | 'name'>;

const ANTHROPIC_VERSION = '2023-06-01';

const openAiList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** OpenRouter, vLLM and LM Studio each name the window in their own way. */
      context_length: z.number().nullish(),
      max_model_len: z.number().nullish(),
      loaded_context_length: z.number().nullish(),
      max_context_length: z.number().nullish(),
    }),
  ),
});
const googleList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      inputTokenLimit: z.number().nullish(),
      supportedGenerationMethods: z.array(z.string()).default([]),
    }),
  ),
});

/** Throws AppError `not-authenticated` or `agent-unavailable`. Sorted by name. */
export async function listModels(
  provider: ListedProvider,
  key: string | null,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ModelList> {
  const { url, headers } = requestOf(provider, key);
  const answer = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw new AppError(
      'agent-unavailable',
      `${provider.name} can't be reached at ${originOf(url)}. Check the address and that the server runs.`,
      {
        cause: error,
      },
    );
  });
  if (answer.status === 401 || answer.status === 403) {
    throw new AppError('not-authenticated', `${provider.name} refused the key. Check it in Settings.`);
  }
  if (!answer.ok) {
    throw new AppError(
      'agent-unavailable',
      `${provider.name} answered ${answer.status} when asked for its models. Check the address.`,
    );
  }
  const body: unknown = await answer.json().catch(() => null);
  const models = provider.kind === 'google' ? fromGoogle(body) : fromOpenAi(body);
  if (models === null)
    throw new AppError(
      'agent-unavailable',
      `${provider.name} did not answer with a list of models. Check the address.`,
    );
  return { models: models.sort((a, b) => a.id.localeCompare(b.id)) };
}

function requestOf(
  provider: ListedProvider,
  key: string | null,
): { url: string; headers: Record<string, string> } {
  const base = provider.baseUrl?.replace(/\/+$/, '');
  switch (provider.kind) {
    case 'anthropic':
      return {
        url: `${base ?? 'https://api.anthropic.com/v1'}/models?limit=1000`,
        headers: { 'anthropic-version': ANTHROPIC_VERSION, ...(key === null ? {} : { 'x-api-key': key }) },
      };
    case 'google':
      return {
        url: `${base ?? 'https://generativelanguage.googleapis.com/v1beta'}/models?pageSize=1000`,
        // A header and not the query: addresses end up in logs.
        headers: key === null ? {} : { 'x-goog-api-key': key },
      };
    case 'openai':
      return { url: `${base ?? 'https://api.openai.com/v1'}/models`, headers: bearer(key) };
    case 'openai-compatible':
    case 'ollama':
      return { url: `${openAiAddressOf(provider)}/models`, headers: bearer(key) };
  }
}

const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

type Models = { id: string; contextWindow: number | null }[];

function fromOpenAi(body: unknown): Models | null {
  const parsed = openAiList.safeParse(body);
  if (!parsed.success) return null;
  return parsed.data.data.map((model) => ({
    id: model.id,
    contextWindow:
      model.loaded_context_length ??
      model.context_length ??
      model.max_model_len ??
      model.max_context_length ??
      null,
  }));
}

function fromGoogle(body: unknown): Models | null {
  const parsed = googleList.safeParse(body);
  if (!parsed.success) return null;
  return parsed.data.models
    .filter(({ supportedGenerationMethods }) => supportedGenerationMethods.includes('generateContent'))
    .map(({ name, inputTokenLimit }) => ({
      id: name.replace(/^models\//, ''),
      contextWindow: inputTokenLimit ?? null,
    }));
}
