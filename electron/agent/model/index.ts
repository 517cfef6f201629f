/** The door of the model agent: from a saved provider and its key to an agent. */

import type { Provider } from '../../../shared/settings.ts';
import type { Agent } from '../ports.ts';
import { createAiSdkClient } from './ai-sdk-client.ts';
import { createModelAgent } from './model-agent.ts';
import { ollamaContextWarning } from './ollama-context.ts';
import { providerModel } from './provider-model.ts';

export { testConnection } from './connection-test.ts';
export { environmentFetch, namesAuthorities } from './environment-fetch.ts';
export { keyFromEnvironment, keyVariables } from './key-variables.ts';
export { findLocalServers } from './local-servers.ts';
export { listModels } from './model-list.ts';

/** Throws AppError `not-authenticated` when the provider needs a key and there is none. */
export function modelAgent(
  provider: Provider,
  key: string | null,
  stepLimit: number,
  fetch: typeof globalThis.fetch,
): Agent {
  return createModelAgent({
    provider,
    client: createAiSdkClient(providerModel(provider, key, fetch)),
    stepLimit,
    warning: () => ollamaContextWarning(provider, fetch),
  });
}
