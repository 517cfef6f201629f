/** What an agent sees of the app: tools to call, a person to ask, a place to say things. It never sees the folder or the store. */

import type { ErrorInfo } from '../../shared/errors.ts';
import type { ToolStatus, UsageSummary } from '../../shared/transcript.ts';

/** `every-write`: each write passes the funnel. `opaque`: the agent writes by itself; restorable to the turn's start and each approval. */
export type Guarantee = 'every-write' | 'opaque';

/** A turn of the chat so far, as an agent needs it for its context. */
export interface PriorMessage {
  readonly role: 'user' | 'assistant' | 'tool' | 'note';
  readonly text: string;
  readonly tool?: {
    readonly callId: string;
    readonly name: string;
    readonly input: unknown;
    readonly output: string;
    readonly ok: boolean;
  };
}

export interface AgentTurn {
  readonly prompt: string;
  /** The branch of the chat that ends right before this prompt. */
  readonly history: readonly PriorMessage[];
  /** Aborted by Stop and by quit. */
  readonly signal: AbortSignal;
}

export interface ToolResult {
  readonly ok: boolean;
  /** For the agent: what came back, capped. */
  readonly output: string;
  readonly error?: ErrorInfo;
}

/** A tool call that an external agent makes by itself; shown, not executed. */
export interface ForeignToolCall {
  readonly callId: string;
  readonly title: string;
  readonly status: ToolStatus;
  readonly output?: string;
  readonly input?: unknown;
}

export interface ForeignApproval {
  readonly callId: string;
  readonly title: string;
  readonly command?: string;
  readonly diff?: string;
  readonly path?: string;
}

export interface AgentPorts {
  /** Runs one tool: schema check, approval, funnel. Never throws for an expected failure; throws AppError cancelled after Stop. */
  callTool(name: string, input: unknown, callId?: string): Promise<ToolResult>;
  /** Adds streamed text to the assistant's message. */
  say(delta: string): void;
  /** A line for the person that is not the agent's own text. */
  notice(level: 'info' | 'warning' | 'error', text: string): void;
  usage(usage: UsageSummary): void;
  /** The step limit asks: true to go on. */
  askToContinue(question: string): Promise<boolean>;

  // Agents that write by themselves
  /** Shows or updates a call by its id. */
  showCall(call: ForeignToolCall): void;
  /** Brings the baseline up to date, then asks the person: nothing is written while the agent waits. */
  approveForeign(request: ForeignApproval): Promise<'allow' | 'deny'>;
  /** Looks at the folder now, after a finished call. */
  observe(): Promise<void>;
  /** Writes a text file for the agent, through the funnel. `allowed`: the person has just allowed this write, so it is not asked again. */
  writeText(path: string, content: string, allowed: boolean): Promise<ToolResult>;
  /** Reads a text file of the folder for the agent. */
  readText(path: string): Promise<string>;
}

export interface AgentOutcome {
  readonly status: 'done' | 'failed' | 'stopped';
  readonly error?: ErrorInfo;
}

export interface Agent {
  readonly id: string;
  /** Shown in the combobox "Agent". */
  readonly name: string;
  readonly guarantee: Guarantee;
  /** Its writes to a file that changed since it last read it are refused, so that a person's fresh edit is not run over. */
  readonly rereadsBeforeWriting?: boolean;
  /** Expected failures are an outcome; anything thrown ends the turn as failed with its message. */
  runTurn(turn: AgentTurn, ports: AgentPorts): Promise<AgentOutcome>;
  /** Ends what the agent keeps running. */
  close?(): Promise<void>;
}
