/** One turn of an agent from the command line. */

import { parseLine } from '../../shared/slash-commands.ts';
import type { SessionEvent } from '../../shared/transcript.ts';
import type { Session } from '../session/types.ts';
import type { Answer } from './answer.ts';
import { type CliCommand, usage } from './arguments.ts';
import type { CliIo } from './io.ts';
import { chatWords } from './words.ts';

type ChatCommand = Extract<CliCommand, { name: 'chat' }>;

/** The command with the message that is meant. Slash commands never reach an agent: here they have commands of their own. */
export async function messageOf(command: ChatCommand, io: CliIo): Promise<ChatCommand> {
  const message = command.message === '-' ? await io.readInput() : command.message;
  if (message.trim() === '') throw usage('The message is empty.');
  const line = parseLine(message);
  if (line.kind === 'invalid') throw usage(line.reason);
  if (line.kind === 'command') {
    const { name, turn } = line.command;
    const takesTurn = name === '/rewind' || name === '/diff';
    const instead = name.slice(1) + (takesTurn ? ` --turn ${turn ?? 'N'}` : '');
    throw usage(`${name} is a command of the window; here, run \`${instead}\` instead of chat.`);
  }
  return { ...command, message };
}

/** The first interrupt stops the turn and keeps what was captured; the second one ends the program. */
export async function chat(command: ChatCommand, session: Session, io: CliIo): Promise<Answer> {
  const asking = new AbortController();
  const unsubscribe = session.subscribe((event) => follow(event, session, io, asking.signal));
  let stopping: Promise<void> | null = null;
  const stopListening = io.onInterrupt(() => {
    if (stopping !== null) process.exit(130);
    io.err('Stopping; press Ctrl-C again to quit at once.\n');
    asking.abort();
    stopping = session.stop();
  });
  try {
    const result = await session.send(command.message, { agentId: command.agent.kind, mode: command.mode });
    await stopping;
    return { json: result, words: chatWords(result), complete: result.status === 'done' };
  } finally {
    stopListening();
    unsubscribe();
  }
}

/** Shows on standard error what goes on, and answers the agent's questions. */
function follow(event: SessionEvent, session: Session, io: CliIo, signal: AbortSignal): void {
  switch (event.type) {
    case 'message-added': {
      const { item } = event.message;
      if (item.type === 'tool') io.err(`> ${item.title}\n`);
      if (item.type === 'notice') io.err(`${item.text}\n`);
      return;
    }
    case 'output-delta':
      io.err(event.delta);
      return;
    case 'approval-requested': {
      const { approvalId, title, diff, tool } = event.request;
      const answer = (choice: 'allow-once' | 'allow-for-chat' | 'deny'): void =>
        session.answerApproval(approvalId, choice);
      if (io.ask === null) {
        io.err(`Nobody is here to ask, so this is not allowed: ${title}. Use --mode full to allow it.\n`);
        // After the request is known everywhere: an answer from inside the event would come too early.
        queueMicrotask(() => answer('deny'));
        return;
      }
      if (diff !== undefined) io.err(`${diff}\n`);
      const question =
        tool === 'continue'
          ? `${title} [y]es, [n]o: `
          : `Allow "${title}"? [y]es, [a]lways in this turn, [n]o: `;
      io.ask(question, signal).then(
        (reply) => answer(/^y/i.test(reply) ? 'allow-once' : /^a/i.test(reply) ? 'allow-for-chat' : 'deny'),
        () => answer('deny'),
      );
      return;
    }
    case 'message-updated':
    case 'text-delta':
    case 'turn-started':
    case 'turn-ended':
    case 'approval-resolved':
    case 'history-changed':
    case 'chat-moved':
    case 'usage':
    case 'progress':
      return;
  }
}
