/** Stands in for the main process in tests of the page: answers by channel, pushes events, remembers what was asked. */

import type { AppState } from '../../shared/app-state.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { asWorkspaceId } from '../../shared/ids.ts';
import type { AppEvent, Bridge, IpcChannel, IpcOutput, IpcRequest } from '../../shared/ipc.ts';
import type { SessionSnapshot } from '../../shared/session.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { SessionEvent } from '../../shared/transcript.ts';

type Answer<C extends IpcChannel> = (request: IpcRequest<C>) => IpcOutput<C> | Promise<IpcOutput<C>>;
type Answers = { [C in IpcChannel]?: Answer<C> };

/** What an answer throws to be refused as the main process would refuse. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const WORKSPACE = { workspaceId: asWorkspaceId('w1'), name: 'garden', path: '/home/mia/garden' };

export const APP_STATE: AppState = {
  version: '0.1.0',
  platform: 'linux',
  settings: DEFAULT_SETTINGS,
  recentFolders: [],
  workspace: WORKSPACE,
  agents: [
    {
      id: 'practice',
      name: 'Practice agent',
      kind: 'practice',
      guarantee: 'every-write',
      detail: '',
      usable: true,
    },
  ],
  keysArePersistent: true,
  firstRun: false,
};

export const SNAPSHOT: SessionSnapshot = {
  messages: [],
  entries: [],
  running: null,
  approvals: [],
  progress: [],
  redoable: false,
  usage: null,
  readOnly: false,
  recovered: [],
  mode: 'ask',
  hasOtherBranches: false,
};

const refusal = (code: ErrorCode, message: string): string =>
  JSON.stringify({ ok: false, error: { code, message } });

export class FakeBridge implements Bridge {
  readonly asked: { readonly channel: IpcChannel; readonly request: unknown }[] = [];
  readonly #answers: Answers;
  readonly #listeners = new Set<(event: AppEvent) => void>();

  constructor(answers: Answers = {}) {
    this.#answers = {
      'app:state': () => APP_STATE,
      'app:update-settings': ({ patch }) => ({ ...APP_STATE.settings, ...patch }) as typeof DEFAULT_SETTINGS,
      'agents:detect': () => ({ localServers: [], installedAgents: [], keyVariables: [] }),
      'session:snapshot': () => SNAPSHOT,
      'history:list': () => [],
      ...answers,
    };
  }

  answer<C extends IpcChannel>(channel: C, answer: Answer<C>): void {
    this.#answers[channel] = answer as Answers[C];
  }

  requestsOf<C extends IpcChannel>(channel: C): IpcRequest<C>[] {
    return this.asked.filter((one) => one.channel === channel).map(({ request }) => request as IpcRequest<C>);
  }

  invoke: Bridge['invoke'] = async (channel, request) => {
    this.asked.push({ channel, request });
    const answer = this.#answers[channel] as Answer<typeof channel> | undefined;
    if (answer === undefined) return refusal('internal', `No answer for ${channel}.`);
    try {
      return JSON.stringify({ ok: true, value: await answer(request) });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'internal';
      return refusal(code, error instanceof Error ? error.message : String(error));
    }
  };

  onEvent: Bridge['onEvent'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  session(event: SessionEvent): void {
    this.emit({ type: 'session', workspaceId: WORKSPACE.workspaceId, event });
  }
}
