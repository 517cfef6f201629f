/** What an agent sees of the app during one turn: its calls go one after another, past the person, to the folder. */

import { AppError, toErrorInfo } from '../../shared/errors.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { UsageSummary } from '../../shared/transcript.ts';
import {
  type AgentPorts,
  type ForeignApproval,
  type ForeignToolCall,
  parseToolCall,
  type ToolCall,
  type ToolResult,
  titleOf,
} from '../agent/index.ts';
import { Mutex } from '../base/mutex.ts';
import type { Approvals } from './approvals.ts';
import type { Permissions } from './permissions.ts';
import { ToolCalls } from './tool-calls.ts';
import type { ToolExecutor } from './tool-executor.ts';
import type { GrowingText, Transcript } from './transcript.ts';

/** Longest output of a call that goes to the agent and into the conversation. */
const LONGEST_OUTPUT = 30_000;

export interface TurnPortsParts {
  readonly turn: TurnNumber;
  readonly transcript: Transcript;
  readonly approvals: Approvals;
  readonly permissions: Permissions;
  readonly executor: ToolExecutor;
  readonly signal: AbortSignal;
  /** After every call: the history has news. */
  readonly changed: () => void;
  readonly usage: (usage: UsageSummary) => void;
  /** For an agent that writes by itself: looks at the folder. */
  readonly observe: () => Promise<void>;
}

export class TurnPorts implements AgentPorts {
  readonly calls: ToolCalls;
  readonly #parts: TurnPortsParts;
  readonly #oneByOne = new Mutex();
  #growing: GrowingText | null = null;
  readonly #said: string[] = [];
  #closed = false;

  constructor(parts: TurnPortsParts) {
    this.#parts = parts;
    this.calls = new ToolCalls(parts.transcript, parts.turn);
  }

  /** Ends the turn's side: what the agent still calls afterwards is refused. Resolves when its last call has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#oneByOne.run(() => Promise.resolve());
    this.#endText();
    this.calls.cancelOpen();
  }

  get text(): string {
    return this.#said.join('\n\n');
  }

  callTool(name: string, input: unknown, callId?: string): Promise<ToolResult> {
    return this.#oneByOne.run(async () => {
      this.#checkOpen();
      this.#endText();
      const id = this.calls.freshId(callId);
      let call: ToolCall;
      try {
        call = parseToolCall(name, input);
      } catch (error) {
        this.calls.add({ callId: id, tool: name, title: name, input, status: 'pending' });
        return this.#failed(id, error);
      }
      this.calls.add({ callId: id, tool: name, title: titleOf(call), input, status: 'pending' });
      return this.#execute(id, call);
    });
  }

  async #execute(callId: string, call: ToolCall): Promise<ToolResult> {
    const { permissions, executor, changed } = this.#parts;
    try {
      if (permissions.asksAbout(call)) this.calls.change(callId, { status: 'awaiting-approval' });
      await permissions.check(call, {
        callId,
        tool: call.tool,
        title: titleOf(call),
        ...(permissions.asksAbout(call) ? await executor.preview(call) : {}),
      });
      this.calls.change(callId, { status: 'running' });
      const { ok, output, error } = await executor.run(call, (delta) => this.calls.addOutput(callId, delta));
      const result = { output: capped(output), ...(error === undefined ? {} : { error }) };
      this.calls.change(callId, { ...result, status: ok ? 'done' : 'failed' });
      return { ok, ...result };
    } catch (error) {
      return this.#failed(callId, error);
    } finally {
      changed();
    }
  }

  /** Every failure goes back to the agent, which may know better; only Stop ends its turn. */
  #failed(callId: string, error: unknown): ToolResult {
    if (error instanceof AppError && error.code === 'cancelled') {
      this.calls.change(callId, { status: 'cancelled' });
      throw error;
    }
    const info = toErrorInfo(error);
    this.calls.change(callId, { status: 'failed', error: info });
    return { ok: false, output: info.message, error: info };
  }

  say(delta: string): void {
    if (this.#closed || delta === '') return;
    if (this.#growing === null) this.#growing = this.#parts.transcript.stream(this.#parts.turn, delta);
    else this.#growing.add(delta);
  }

  notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.#endText();
    this.#parts.transcript.append(this.#parts.turn, { type: 'notice', level, text });
  }

  usage(usage: UsageSummary): void {
    this.#parts.usage(usage);
  }

  askToContinue(question: string): Promise<boolean> {
    const { approvals, signal } = this.#parts;
    const callId = this.calls.freshId(undefined);
    return approvals.ask({ callId, tool: 'continue', title: question }, `continue ${callId}`, signal);
  }

  showCall({ callId, title, status, output, input }: ForeignToolCall): void {
    if (this.#closed) return;
    this.#endText();
    if (this.calls.has(callId)) {
      this.calls.change(callId, {
        title,
        status,
        ...(output === undefined ? {} : { output: capped(output) }),
      });
      return;
    }
    this.calls.add({ callId, tool: 'external', title, input, status });
    if (output !== undefined) this.calls.change(callId, { output: capped(output) });
  }

  async approveForeign(request: ForeignApproval): Promise<'allow' | 'deny'> {
    this.#checkOpen();
    await this.#parts.observe();
    if (!this.calls.has(request.callId)) {
      this.showCall({ callId: request.callId, title: request.title, status: 'pending' });
    }
    try {
      this.calls.change(request.callId, { status: 'awaiting-approval' });
      await this.#parts.permissions.checkForeign({ tool: 'external', ...request });
      this.calls.change(request.callId, { status: 'running' });
      return 'allow';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.calls.change(request.callId, { status: 'failed', error: toErrorInfo(error) });
      return 'deny';
    }
  }

  observe(): Promise<void> {
    return this.#parts.observe();
  }

  /** An allowed write is shown by the agent's own call; one that nobody was asked about is a call like any other. */
  writeText(path: string, content: string, allowed: boolean): Promise<ToolResult> {
    const call = { path, content };
    if (!allowed) return this.callTool('write_file', call);
    return this.#oneByOne.run(async () => {
      this.#checkOpen();
      return this.#parts.executor.run({ tool: 'write_file', ...call }, () => undefined);
    });
  }

  readText(path: string): Promise<string> {
    this.#checkOpen();
    return this.#parts.executor.readText(path);
  }

  #checkOpen(): void {
    if (this.#closed || this.#parts.signal.aborted) throw new AppError('cancelled', 'The turn was stopped.');
  }

  #endText(): void {
    if (this.#growing !== null) this.#said.push(this.#growing.end());
    this.#growing = null;
  }
}

function capped(output: string): string {
  const rest = output.length - LONGEST_OUTPUT;
  return rest > 0 ? `${output.slice(0, LONGEST_OUTPUT)}\n… (${rest} more characters)` : output;
}
