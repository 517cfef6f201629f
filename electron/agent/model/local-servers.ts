/** Looks for model servers on this computer: loopback only, and only for a moment. */

import type { DetectedAgents } from '../../../shared/app-state.ts';
import { listModels } from './model-list.ts';

type LocalServer = DetectedAgents['localServers'][number];

const WAIT_MS = 300;

export const KNOWN_SERVERS: readonly Pick<LocalServer, 'name' | 'kind' | 'baseUrl'>[] = [
  { name: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
  { name: 'LM Studio', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'Jan', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1337/v1' },
  { name: 'llama.cpp', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8080/v1' },
];

/** `servers` is replaced in tests. A server that does not answer in time is not there. */
export async function findLocalServers(
  fetch: typeof globalThis.fetch,
  servers = KNOWN_SERVERS,
): Promise<LocalServer[]> {
  const answers = await Promise.all(
    servers.map(async (server): Promise<LocalServer | null> => {
      try {
        const { models } = await listModels(server, null, fetch, AbortSignal.timeout(WAIT_MS));
        return { ...server, models: models.map(({ id }) => id) };
      } catch {
        return null;
      }
    }),
  );
  return answers.filter((server) => server !== null);
}
