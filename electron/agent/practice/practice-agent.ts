/** An agent without a model: does exactly what the message says, for a first try, demonstrations and tests. */

import { AppError } from '../../../shared/errors.ts';
import type { Agent, AgentPorts, ToolResult } from '../ports.ts';
import { type PracticeStep, parseMessage } from './parse-message.ts';

const HELP = `I am the practice agent: no model, I do exactly what a message says. One instruction a line:

    write notes.md: some text
    append notes.md: one more line
    replace "some" with "other" in notes.md
    move notes.md to docs/notes.md
    delete docs
    run: ls -l

Or one JSON array of tool calls: [{"tool":"write_file","path":"a.txt","content":"hi\\n"}]
Nothing was changed. Type /rewind to go back to before a turn.`;

export const practiceAgent: Agent = {
  id: 'practice',
  name: 'Practice agent',
  guarantee: 'every-write',

  async runTurn({ prompt, signal }, ports) {
    const steps = parseMessage(prompt);
    if (steps === null) {
      ports.say(HELP);
      return { status: 'done' };
    }
    const failures: string[] = [];
    for (const step of steps) {
      if (signal.aborted) return { status: 'stopped' };
      const result = await run(step, ports);
      if (!result.ok) failures.push(result.error?.message ?? 'A call failed without saying why.');
    }
    ports.say(summary(steps.length, failures));
    return failures.length === 0 ? { status: 'done' } : { status: 'failed' };
  },
};

async function run(step: PracticeStep, ports: AgentPorts): Promise<ToolResult> {
  if (step.kind === 'call') return ports.callTool(step.tool, step.input);
  try {
    const content = withLine(await presentText(step.path, ports), step.text);
    return await ports.callTool('write_file', { path: step.path, content });
  } catch (error) {
    // The same reading as a call of its own: it fails alike, and is shown and counted as what it is.
    if (error instanceof AppError && error.code !== 'cancelled')
      return ports.callTool('read_file', { path: step.path });
    throw error;
  }
}

async function presentText(path: string, ports: AgentPorts): Promise<string> {
  try {
    return await ports.readText(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'path-not-found') return '';
    throw error;
  }
}

/** Adds a line with the line ending that the text uses; a last line without one is ended first. */
function withLine(present: string, line: string): string {
  const ending = /\r\n|\n|\r/.exec(present)?.[0] ?? '\n';
  const gap = present === '' || /[\r\n]$/.test(present) ? '' : ending;
  return `${present}${gap}${line}${ending}`;
}

function summary(count: number, failures: readonly string[]): string {
  const calls = count === 1 ? '1 call' : `${count} calls`;
  if (failures.length === 0) return `Done: ${calls}.`;
  return [`${failures.length} of ${calls} failed.`, ...failures.map((message) => `- ${message}`)].join('\n');
}
