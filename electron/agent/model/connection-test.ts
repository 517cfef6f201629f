/** Tests a provider with one click: the smallest request that a chat would make. */

import type { ProviderTest } from '../../../shared/app-state.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Provider } from '../../../shared/settings.ts';
import { createAiSdkClient } from './ai-sdk-client.ts';
import { providerModel } from './provider-model.ts';

const WAIT_MS = 20_000;

export async function testConnection(
  provider: Provider,
  key: string | null,
  fetch: typeof globalThis.fetch,
): Promise<ProviderTest> {
  try {
    const client = createAiSdkClient(providerModel(provider, key, fetch));
    await client.step({
      system: 'Answer with one word.',
      messages: [{ role: 'user', text: 'Say hello.' }],
      withTools: false,
      signal: AbortSignal.timeout(WAIT_MS),
      onText: () => undefined,
    });
    return { ok: true, message: `${provider.model} answered.` };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return {
        ok: false,
        message: `${provider.name} did not answer within ${WAIT_MS / 1000} seconds. Check the address.`,
      };
    }
    return { ok: false, message: toErrorInfo(error).message };
  }
}
