/** What an agent is told of the chat so far: the branch that ends here, and nothing of turns that a chat rewind undid. */

import type { RewindReport } from '../../shared/rewind.ts';
import type { ChatItem, ChatMessage } from '../../shared/transcript.ts';
import type { PriorMessage } from '../agent/ports.ts';

const MOST_NAMED_PATHS = 50;

export const contextOf = (branch: readonly ChatMessage[]): PriorMessage[] =>
  branch.flatMap(({ item }) => priorMessages(item));

function priorMessages(item: ChatItem): PriorMessage[] {
  switch (item.type) {
    case 'user':
    case 'assistant':
      return [{ role: item.type, text: item.text }];
    case 'tool':
      return [{ role: 'tool', text: item.title, tool: toolOf(item) }];
    case 'turn-end':
      return item.outcome === 'stopped' || item.outcome === 'interrupted'
        ? [{ role: 'note', text: `This turn was ${item.outcome} before it was finished.` }]
        : [];
    case 'rewind':
      return item.report.scope === 'files-only' ? rewindNote(item.report) : [];
    case 'notice':
      return [];
  }
}

function toolOf(item: Extract<ChatItem, { type: 'tool' }>): NonNullable<PriorMessage['tool']> {
  const output = item.status === 'cancelled' ? 'Cancelled.' : (item.error?.message ?? item.output ?? '');
  return { callId: item.callId, name: item.tool, input: item.input, output, ok: item.status === 'done' };
}

/** Only where the chat stayed and the files moved does the agent know things that are no longer so. */
function rewindNote(report: RewindReport): PriorMessage[] {
  const facts = [
    named('Files with other content again', report.restored),
    named('Files that are gone again', report.deleted),
  ].filter((fact) => fact !== '');
  if (facts.length === 0) return [];
  const act =
    report.kind === 'rewind'
      ? `The person put files of the folder back to how they were before turn ${report.turn}.`
      : 'The person undid the last rewind of files.';
  return [{ role: 'note', text: [act, ...facts, 'Read a file again before you rely on it.'].join(' ') }];
}

function named(what: string, paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length - MOST_NAMED_PATHS;
  const list = paths.slice(0, MOST_NAMED_PATHS).join(', ');
  return `${what}: ${list}${more > 0 ? ` and ${more} more` : ''}.`;
}
