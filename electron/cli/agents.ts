/** The agents that need no settings; the headless face names them with `--agent`. */

import { AppError } from '../../shared/errors.ts';
import { type Agent, practiceAgent } from '../agent/index.ts';

export function agentOf(id: string): Agent {
  if (id === practiceAgent.id) return practiceAgent;
  throw new AppError(
    'agent-unavailable',
    `There is no agent ${JSON.stringify(id)}; the practice agent is "practice".`,
  );
}
