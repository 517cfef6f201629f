/** What happens right after an agent was added: it becomes the one that answers. */

import type { AgentDescription } from '../../../shared/app-state.ts';
import { useApp } from '../../state/app-store.ts';

/** An id that is new to the settings. */
export const newId = (prefix: string): string => `${prefix}-${Math.random().toString(36).slice(2, 10)}`;

export async function takeNewAgent(agents: readonly AgentDescription[], savedId: string): Promise<void> {
  const added = agents.find(({ id, provider }) => id === savedId || provider?.id === savedId);
  if (added !== undefined) await useApp.getState().chooseAgent(added.id);
}
