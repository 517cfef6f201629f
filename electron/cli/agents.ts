/** Makes the agent that the words name. */

import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { type Agent, practiceAgent } from '../agent/index.ts';
import { keyFromEnvironment, modelAgent } from '../agent/model/index.ts';
import type { AgentArgument } from './arguments.ts';

export function makeAgent(argument: AgentArgument, environment: NodeJS.ProcessEnv): Agent {
  switch (argument.kind) {
    case 'practice':
      return practiceAgent;
    case 'model': {
      const { provider } = argument;
      const key = keyFromEnvironment(provider, environment);
      return modelAgent(provider, key, DEFAULT_SETTINGS.stepLimit, globalThis.fetch);
    }
  }
}
