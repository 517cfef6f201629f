/** Makes the agent that the words name. */

import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { createAcpAgent, startAgentProcess } from '../agent/acp/index.ts';
import { type Agent, practiceAgent } from '../agent/index.ts';
import { environmentFetch, keyFromEnvironment, modelAgent } from '../agent/model/index.ts';
import type { AgentArgument } from './arguments.ts';

/** Holds the key for the address that the same command line names, which no variable of a provider is sent to. */
const OWN_KEY_VARIABLE = 'REWIND_API_KEY';

/** `root`: real path of the folder, where an external agent runs. Throws AppError `not-authenticated` when a key is missing. */
export function agentOf(argument: AgentArgument, environment: NodeJS.ProcessEnv, root: string): Agent {
  switch (argument.kind) {
    case 'practice':
      return practiceAgent;
    case 'model': {
      const { provider } = argument;
      const key = environment[OWN_KEY_VARIABLE] || keyFromEnvironment(provider, environment);
      return modelAgent(provider, key, DEFAULT_SETTINGS.stepLimit, environmentFetch(environment));
    }
    case 'acp': {
      const { command } = argument;
      const start = startAgentProcess(root, environment);
      return createAcpAgent({ id: argument.kind, name: command[0] ?? '', command, root, start });
    }
  }
}
