/**
 * One turn, from the durable beginning to its end. However the agent ends (done, failed, stopped, or by throwing), what it
 * did to the folder is captured and the turn is finished.
 */

import { toErrorInfo } from '../../shared/errors.ts';
import type { TurnNumber } from '../../shared/ids.ts';
import type { PermissionMode, SessionEvent, UsageSummary } from '../../shared/transcript.ts';
import type { Agent, AgentOutcome } from '../agent/index.ts';
import type { OpenEntry } from '../store/types.ts';
import { contextOf } from './agent-context.ts';
import type { Approvals } from './approvals.ts';
import type { FolderParts } from './folder-parts.ts';
import { netChanges } from './net-changes.ts';
import { OpaqueSteps } from './opaque-step.ts';
import { Permissions } from './permissions.ts';
import type { SeenFiles } from './seen-files.ts';
import { ToolExecutor } from './tool-executor.ts';
import { Transcript } from './transcript.ts';
import { TurnPorts } from './turn-ports.ts';
import type { TurnResult } from './types.ts';

/** An agent that does not come back after Stop is left behind after this time; its later calls are refused. */
const STOP_PATIENCE_MS = 10_000;

export interface TurnRequest {
  readonly prompt: string;
  readonly agent: Agent;
  readonly mode: PermissionMode;
  readonly signal: AbortSignal;
  readonly started: (turn: TurnNumber) => void;
}

export interface TurnSurroundings {
  readonly parts: FolderParts;
  readonly approvals: Approvals;
  /** null for an agent that need not reread before it writes. */
  readonly seen: SeenFiles | null;
  readonly emit: (event: SessionEvent) => void;
  readonly usage: (usage: UsageSummary) => void;
}

export async function runTurn(request: TurnRequest, around: TurnSurroundings): Promise<TurnResult> {
  const { parts, approvals, emit } = around;
  const { store } = parts;
  const { prompt, agent, signal } = request;
  const history = contextOf(store.branch());
  const entry = store.beginTurn({ label: prompt, agent: agent.id, chatHead: store.chatHead() });
  const { turn } = entry;
  emit({ type: 'turn-started', turn });
  request.started(turn);
  const transcript = new Transcript(store, emit);
  transcript.append(turn, { type: 'user', text: prompt });
  emit({ type: 'history-changed' });

  const notice = (text: string): void => ports.notice('info', text);
  const steps = new OpaqueSteps(parts, entry, signal, notice);
  const ports = new TurnPorts({
    turn,
    transcript,
    approvals,
    permissions: new Permissions(approvals, request.mode, signal),
    executor: new ToolExecutor({ parts, entry, steps, seen: around.seen, signal }),
    signal,
    changed: () => emit({ type: 'history-changed' }),
    usage: around.usage,
    observe: () => steps.observe(),
  });

  const work = (): Promise<AgentOutcome> => agent.runTurn({ prompt, history, signal }, ports);
  const outcome = await outcomeOf(async () => {
    const run =
      agent.guarantee === 'opaque' ? steps.around(() => patiently(work, signal)) : patiently(work, signal);
    return await run;
  }, signal);
  await ports.close();
  if (outcome.error !== undefined) ports.notice('error', outcome.error.message);
  nameSkipped(entry);

  store.finishTurn(turn, outcome.status);
  const files = netChanges(store.captures(turn));
  const notCovered = store.entry(turn)?.notCovered ?? [];
  transcript.append(turn, { type: 'turn-end', outcome: outcome.status, files, notCovered });
  emit({ type: 'turn-ended', turn, outcome: outcome.status });
  emit({ type: 'history-changed' });
  return {
    turn,
    status: outcome.status,
    text: ports.text,
    toolCalls: ports.calls.summaries(),
    files,
    notCovered,
  };
}

async function outcomeOf(work: () => Promise<AgentOutcome>, signal: AbortSignal): Promise<AgentOutcome> {
  try {
    return await work();
  } catch (error) {
    return signal.aborted ? { status: 'stopped' } : { status: 'failed', error: toErrorInfo(error) };
  }
}

function patiently(work: () => Promise<AgentOutcome>, signal: AbortSignal): Promise<AgentOutcome> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener(
      'abort',
      () => {
        timer = setTimeout(() => resolve({ status: 'stopped' }), STOP_PATIENCE_MS);
      },
      { once: true },
    );
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** A path whose content could not be held is said where the person decides, not only in its capture. */
function nameSkipped(entry: OpenEntry): void {
  const skipped = entry
    .captures()
    .flatMap(({ path, pre }) => (pre.kind === 'skipped' ? [{ path, reason: pre.reason }] : []));
  if (skipped.length > 0) entry.addNotCovered(skipped);
}
