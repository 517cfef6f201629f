/** The agents that the app brings along, and what every agent is built from. */

export type {
  Agent,
  AgentOutcome,
  AgentPorts,
  AgentTurn,
  ForeignApproval,
  ForeignToolCall,
  Guarantee,
  PriorMessage,
  ToolResult,
} from './ports.ts';
export { practiceAgent } from './practice/practice-agent.ts';
export { parseToolCall, titleOf, writtenBytes } from './tools/parse-call.ts';
export {
  type ToolAccess,
  type ToolCall,
  type ToolName,
  toolAccess,
  toolDescriptions,
  toolInputs,
} from './tools/schemas.ts';
