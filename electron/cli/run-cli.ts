/** The same product without a window: reads the words, opens the folder, does one thing, prints the result. */

import { AppError, toErrorInfo } from '../../shared/errors.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { openSession } from '../session/index.ts';
import type { Session } from '../session/types.ts';
import { agentOf } from './agents.ts';
import type { Answer } from './answer.ts';
import { type AgentArgument, type CliCommand, readArguments, wantsJson } from './arguments.ts';
import { chat, messageOf } from './chat.ts';
import type { CliIo } from './io.ts';
import { diffJson, planJson, reportJson, turnsJson } from './json.ts';
import { abortedByConflicts, isComplete } from './rewind.ts';
import {
  diffWords,
  HELP,
  planWords,
  pruneWords,
  reportWords,
  statsWords,
  turnsWords,
  verifyWords,
} from './words.ts';

/** 0 done, 1 done in part or failed, 2 usage. */
export type ExitCode = 0 | 1 | 2;

export async function runCli(words: readonly string[], io: CliIo): Promise<ExitCode> {
  if (words.length === 1 && ['help', '--help', '-h'].includes(words[0] ?? '')) {
    io.out(HELP);
    return 0;
  }
  try {
    const { folder, json, command: asWritten } = readArguments(words, io.cwd);
    const command = asWritten.name === 'chat' ? await messageOf(asWritten, io) : asWritten;
    const session: Session = await openSession({
      folder,
      access: needsWriting(command) ? 'write' : 'read',
      settings: DEFAULT_SETTINGS,
      // Asked for when the turn begins, so only by a chat.
      agentOf: () => agentOf(agentArgumentOf(command), io.environment, session.root),
      holder: 'the command line',
      backgroundBaseline: false,
    });
    try {
      for (const repair of session.snapshot().recovered) io.err(`${repair}\n`);
      const answer = await run(command, session, io);
      io.out(json ? `${JSON.stringify(answer.json, null, 2)}\n` : answer.words);
      return answer.complete ? 0 : 1;
    } finally {
      await session.close();
    }
  } catch (error) {
    return reportFailure(error, wantsJson(words), io);
  }
}

function reportFailure(error: unknown, json: boolean, io: CliIo): ExitCode {
  const info = toErrorInfo(error);
  if (json) io.out(`${JSON.stringify({ error: info }, null, 2)}\n`);
  else io.err(info.code === 'usage' ? `${info.message}\n\n${HELP}` : `${info.message}\n`);
  if (info.code === 'internal' && error instanceof Error) io.err(`${error.stack}\n`);
  return info.code === 'usage' ? 2 : 1;
}

const agentArgumentOf = (command: CliCommand): AgentArgument =>
  command.name === 'chat' ? command.agent : { kind: 'practice' };

/** The rest looks at the history without taking the folder's lock, also beside an open window. */
function needsWriting(command: CliCommand): boolean {
  switch (command.name) {
    case 'chat':
    case 'redo':
      return true;
    case 'rewind':
    case 'prune':
      return !command.dryRun;
    case 'turns':
    case 'plan':
    case 'diff':
    case 'verify':
    case 'stats':
      return false;
  }
}

async function run(command: CliCommand, session: Session, io: CliIo): Promise<Answer> {
  switch (command.name) {
    case 'chat':
      return chat(command, session, io);
    case 'turns': {
      const entries = session.history(command.limit === undefined ? {} : { limit: command.limit });
      return { json: turnsJson(entries), words: turnsWords(entries), complete: true };
    }
    case 'plan': {
      const plan = await session.plan(command.turn, command.paths);
      return { json: planJson(plan), words: planWords(plan), complete: true };
    }
    case 'rewind':
      return rewind(command, session);
    case 'redo': {
      const report = await session.redo({ conflicts: 'overwrite' });
      return { json: reportJson(report), words: reportWords(report), complete: isComplete(report) };
    }
    case 'diff': {
      const diffs = await session.turnDiff(command.turn, command.path);
      return { json: diffJson(diffs), words: diffWords(diffs), complete: true };
    }
    case 'verify': {
      const report = await session.verify();
      return { json: report, words: verifyWords(report), complete: report.ok };
    }
    case 'prune': {
      const { keepTurns, maxBytes, dryRun } = command;
      const report = await session.prune({
        ...(keepTurns === undefined ? {} : { keepTurns }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
        dryRun,
      });
      return { json: report, words: pruneWords(report, dryRun), complete: true };
    }
    case 'stats': {
      const stats = session.stats();
      return { json: stats, words: statsWords(stats), complete: true };
    }
  }
}

async function rewind(command: Extract<CliCommand, { name: 'rewind' }>, session: Session): Promise<Answer> {
  const { turn, paths, conflicts, planId, dryRun } = command;
  try {
    const report = await session.rewind({
      turn,
      ...(paths === undefined ? {} : { paths }),
      // Single files go back without the chat: the rest of their turn still holds.
      scope: paths === undefined ? 'files-and-chat' : 'files-only',
      ...(planId === undefined ? {} : { planId }),
      conflicts,
      dryRun,
    });
    return { json: reportJson(report), words: reportWords(report), complete: isComplete(report) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflicts')
      return abortedByConflicts(await session.plan(turn, paths), error);
    throw error;
  }
}
