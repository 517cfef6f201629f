/** Makes the SDK's model for a saved provider; always a provider's own model, since a bare name would go to a hosted gateway. */

import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { AppError } from '../../../shared/errors.ts';
import type { Provider } from '../../../shared/settings.ts';

export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434';

export function providerModel(
  provider: Provider,
  key: string | null,
  fetch: typeof globalThis.fetch,
): Exclude<LanguageModel, string> {
  const common = {
    fetch,
    ...(provider.baseUrl === undefined ? {} : { baseURL: withoutTrailingSlash(provider.baseUrl) }),
  };
  switch (provider.kind) {
    case 'anthropic':
      return createAnthropic({ ...common, apiKey: requireKey(provider, key) })(provider.model);
    case 'openai':
      return createOpenAI({ ...common, apiKey: requireKey(provider, key) })(provider.model);
    case 'google':
      return createGoogleGenerativeAI({ ...common, apiKey: requireKey(provider, key) })(provider.model);
    case 'openai-compatible':
    case 'ollama':
      return createOpenAICompatible({
        name: provider.kind,
        baseURL: openAiAddressOf(provider),
        fetch,
        includeUsage: true,
        ...(key === null ? {} : { apiKey: key }),
      })(provider.model);
  }
}

/** Where the OpenAI dialect of a compatible server begins, e.g. `http://127.0.0.1:11434/v1`. */
export function openAiAddressOf(provider: Pick<Provider, 'kind' | 'baseUrl' | 'name'>): string {
  if (provider.baseUrl !== undefined) {
    const address = withoutTrailingSlash(provider.baseUrl);
    return provider.kind === 'ollama' && !address.endsWith('/v1') ? `${address}/v1` : address;
  }
  if (provider.kind === 'ollama') return `${OLLAMA_ADDRESS}/v1`;
  throw new AppError('agent-unavailable', `${provider.name} has no address. Give its URL in Settings.`);
}

function requireKey(provider: Provider, key: string | null): string {
  if (key !== null && key !== '') return key;
  throw new AppError('not-authenticated', `There is no key for ${provider.name}. Paste one in Settings.`);
}

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');
