/** Opens a session over a folder with agents made for the test, and closes it when the test has ended. */

import { onTestFinished } from 'vitest';
import { type Agent, type AgentPorts, type AgentTurn, practiceAgent } from '../../electron/agent/index.ts';
import { openSession } from '../../electron/session/index.ts';
import type { OpenSessionOptions, Session } from '../../electron/session/types.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { SessionEvent } from '../../shared/transcript.ts';

export interface TestSession {
  readonly session: Session;
  readonly events: SessionEvent[];
}

export async function sessionOn(
  folder: string,
  agents: readonly Agent[] = [],
  options: Partial<OpenSessionOptions> = {},
): Promise<TestSession> {
  const session = await openSession({
    folder,
    access: 'write',
    settings: DEFAULT_SETTINGS,
    agentOf: (id) => agents.find((agent) => agent.id === id) ?? practiceAgent,
    holder: 'a test',
    backgroundBaseline: false,
    ...options,
  });
  onTestFinished(() => session.close());
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { session, events };
}

/** An agent that does what the given function does. */
export function agentThat(
  id: string,
  runTurn: (turn: AgentTurn, ports: AgentPorts) => Promise<void>,
  features: Partial<Agent> = {},
): Agent {
  return {
    id,
    name: id,
    guarantee: 'every-write',
    runTurn: async (turn, ports) => {
      await runTurn(turn, ports);
      return { status: 'done' };
    },
    ...features,
  };
}

/** Resolves with the first event for which the test is true, also one that is long over. */
export function eventOf<T extends SessionEvent>(
  { session, events }: TestSession,
  test: (event: SessionEvent) => event is T,
): Promise<T> {
  const past = events.find(test);
  if (past !== undefined) return Promise.resolve(past);
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe((event) => {
      if (!test(event)) return;
      unsubscribe();
      resolve(event);
    });
  });
}
