/** What an external agent's own session knows of the chat, and what it must be told. */

import { sha256Of } from '../../base/hash.ts';
import type { AgentTurn, PriorMessage } from '../ports.ts';

/**
 * Only what the person and the agents said: tool calls look different in our transcript and in the agent's own, and one answer may
 * be cut into several messages there.
 */
export function digestOf(history: readonly PriorMessage[]): string {
  const said: { role: string; text: string }[] = [];
  for (const { role, text } of history) {
    if (role !== 'user' && role !== 'assistant') continue;
    const last = said.at(-1);
    const words = text.replace(/\s+/g, '');
    if (last?.role === role) last.text += words;
    else if (words !== '') said.push({ role, text: words });
  }
  return sha256Of(JSON.stringify(said));
}

/** What the app has to say since the agent's last turn, e.g. which files went back. */
export function withNewNotes({ prompt, history }: AgentTurn): string {
  const lastSaid = history.findLastIndex(({ role }) => role === 'user' || role === 'assistant');
  const notes = history.slice(lastSaid + 1).filter(({ role }) => role === 'note');
  return [...notes.map(({ text }) => `[Note from the app: ${text}]`), prompt].join('\n\n');
}

/** A new session of the agent knows nothing; what was said so far is handed to it in words. */
export function withHistory({ prompt, history }: AgentTurn): string {
  if (history.length === 0) return prompt;
  const lines = history.map(({ role, text }) => `${ROLE[role]}: ${text}`);
  return `[The conversation so far]\n${lines.join('\n')}\n[End of the conversation so far]\n\n${prompt}`;
}

const ROLE = { user: 'Person', assistant: 'Agent', tool: 'Agent did', note: 'Note from the app' } as const;
