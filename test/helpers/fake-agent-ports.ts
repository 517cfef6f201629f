/** Agent ports that keep what an agent does, over a Map of files; tools answer as a test says. */

import type { AgentPorts, ForeignApproval, ForeignToolCall, ToolResult } from '../../electron/agent/ports.ts';
import { AppError } from '../../shared/errors.ts';
import type { UsageSummary } from '../../shared/transcript.ts';

export class FakeAgentPorts implements AgentPorts {
  readonly files = new Map<string, string>();
  readonly calls: { name: string; input: unknown }[] = [];
  readonly notices: { level: string; text: string }[] = [];
  readonly shown: ForeignToolCall[] = [];
  readonly approvals: ForeignApproval[] = [];
  readonly usages: UsageSummary[] = [];
  readonly questions: string[] = [];
  observations = 0;
  text = '';
  answerTool: (name: string, input: unknown) => ToolResult | Promise<ToolResult> = () => ({
    ok: true,
    output: 'Done.',
  });
  continueAnswer = true;
  approvalAnswer: 'allow' | 'deny' = 'allow';

  async callTool(name: string, input: unknown): Promise<ToolResult> {
    this.calls.push({ name, input });
    return await this.answerTool(name, input);
  }

  say(delta: string): void {
    this.text += delta;
  }

  notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.notices.push({ level, text });
  }

  usage(usage: UsageSummary): void {
    this.usages.push(usage);
  }

  async askToContinue(question: string): Promise<boolean> {
    this.questions.push(question);
    return this.continueAnswer;
  }

  showCall(call: ForeignToolCall): void {
    this.shown.push(call);
  }

  async approveForeign(request: ForeignApproval): Promise<'allow' | 'deny'> {
    this.approvals.push(request);
    return this.approvalAnswer;
  }

  async observe(): Promise<void> {
    this.observations += 1;
  }

  readonly writes: { path: string; content: string; allowed: boolean }[] = [];

  async writeText(path: string, content: string, allowed: boolean): Promise<ToolResult> {
    this.writes.push({ path, content, allowed });
    this.files.set(path, content);
    return { ok: true, output: 'Written.' };
  }

  async readText(path: string): Promise<string> {
    const text = this.files.get(path);
    if (text === undefined) throw new AppError('path-not-found', `There is no ${path}.`);
    return text;
  }
}
