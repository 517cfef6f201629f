/** The rooms of model agents and of external agents, as this app uses them. */

import { createAcpAgent, findInstalledAgents, startAgentProcess } from '../agent/acp/index.ts';
import {
  findLocalServers,
  keyFromEnvironment,
  keyVariables,
  listModels,
  modelAgent,
  testConnection,
} from '../agent/model/index.ts';
import type { AgentMakers } from './agents.ts';

const LIST_WAIT_MS = 15_000;

export function agentMakers(environment: NodeJS.ProcessEnv, fetch: typeof globalThis.fetch): AgentMakers {
  return {
    model: (provider, key, stepLimit) => modelAgent(provider, key, stepLimit, fetch),
    external: (agent, root) =>
      createAcpAgent({ ...agent, root, start: startAgentProcess(root, environment) }),
    detect: async () => {
      const [localServers, installedAgents] = await Promise.all([
        findLocalServers(fetch),
        findInstalledAgents(environment),
      ]);
      return { localServers, installedAgents, keyVariables: keyVariables(environment) };
    },
    models: (provider, key) => listModels(provider, key, fetch, AbortSignal.timeout(LIST_WAIT_MS)),
    test: (provider, key) => testConnection(provider, key, fetch),
    keyFromEnvironment: (provider) => keyFromEnvironment(provider, environment),
  };
}
