/** The door of the external agents. */

export { createAcpAgent } from './acp-agent.ts';
export type { AgentEnvironment, AgentProcess, StartAgent } from './agent-process.ts';
export { findInstalledAgents } from './find-agents.ts';
export { startAgentProcess } from './start-process.ts';
