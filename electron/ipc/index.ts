/** The door of the IPC room. */

import { agentHandlers } from './handlers/agents.ts';
import { appHandlers } from './handlers/app.ts';
import { historyHandlers } from './handlers/history.ts';
import { rewindHandlers } from './handlers/rewind.ts';
import { sessionHandlers } from './handlers/session.ts';
import { storeHandlers } from './handlers/store.ts';
import { workspaceHandlers } from './handlers/workspace.ts';
import type { Handlers } from './handlers.ts';
import type { Services } from './services.ts';

export const allHandlers = (services: Services): Handlers => ({
  ...appHandlers(services.app),
  ...workspaceHandlers(services),
  ...sessionHandlers,
  ...historyHandlers,
  ...rewindHandlers,
  ...storeHandlers(services.folders),
  ...agentHandlers(services.agents),
});

export type { OpenWorkspace } from './handlers.ts';
export type { Caller, IpcPort } from './port.ts';
export { type Gate, registerHandlers } from './register.ts';
export type { AgentServices, AppServices, FolderServices, ProviderDraft, Services } from './services.ts';
