/** Handlers of choosing and setting up agents. Keys go in, and never out. */

import type { HandlersOf } from '../handlers.ts';
import type { AgentServices } from '../services.ts';

export const agentHandlers = (agents: AgentServices): HandlersOf<'agents'> => ({
  'agents:list': () => agents.list(),
  'agents:detect': () => agents.detect(),
  'agents:save-provider': async ({ provider, key }) => {
    await agents.saveProvider(provider, key);
    return agents.list();
  },
  'agents:save-external': async ({ agent }) => {
    await agents.saveExternal(agent);
    return agents.list();
  },
  'agents:remove': async ({ id }) => {
    await agents.remove(id);
    return agents.list();
  },
  'agents:models': ({ provider, key }) => agents.models(provider, key),
  'agents:test': ({ provider, key }) => agents.test(provider, key),
});
