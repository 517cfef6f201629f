/** The agents of this installation: the practice agent, and those that the person's settings name. */

import { join } from 'node:path';
import { z } from 'zod';
import type { AgentDescription, DetectedAgents, ModelList, ProviderTest } from '../../shared/app-state.ts';
import { AppError } from '../../shared/errors.ts';
import type { ExternalAgent, Provider, Settings } from '../../shared/settings.ts';
import { type Agent, practiceAgent } from '../agent/index.ts';
import type { AgentServices, ProviderDraft } from '../ipc/index.ts';
import { type DataFile, openDataFile } from './data-file.ts';
import type { Secrets } from './secrets.ts';

/** What the rooms of model agents and of external agents can do. */
export interface AgentMakers {
  /** Throws AppError `not-authenticated` when the provider needs a key and there is none. */
  model(provider: Provider, key: string | null, stepLimit: number): Agent;
  /** External agents run in the folder. */
  external(agent: ExternalAgent, root: string): Agent;
  detect(): Promise<DetectedAgents>;
  models(provider: ProviderDraft, key: string | null): Promise<ModelList>;
  test(provider: Provider, key: string | null): Promise<ProviderTest>;
  /** A key that the person keeps in an environment variable. */
  keyFromEnvironment(provider: ProviderDraft): string | null;
}

const choiceSchema = z.strictObject({ agentChosen: z.boolean() });
type Choice = z.infer<typeof choiceSchema>;

export interface AgentsOptions {
  readonly settings: DataFile<Settings>;
  readonly secrets: Secrets;
  readonly choice: DataFile<Choice>;
  readonly makers: AgentMakers;
  readonly onChanged: () => void;
}

export function openAgentChoice(
  dataFolder: string,
  onSetAside: (message: string) => void,
): Promise<DataFile<Choice>> {
  return openDataFile({
    path: join(dataFolder, 'agent-choice.json'),
    schema: choiceSchema,
    whenNew: { agentChosen: false },
    onSetAside,
  });
}

export class Agents {
  readonly #options: AgentsOptions;
  readonly services: AgentServices;

  constructor(options: AgentsOptions) {
    this.#options = options;
    const { makers } = options;
    this.services = {
      list: async () => this.list(),
      detect: () => makers.detect(),
      saveProvider: (provider, key) => this.#saveProvider(provider, key),
      saveExternal: (agent) => this.#saveExternal(agent),
      remove: (id) => this.#remove(id),
      models: (provider, key) => makers.models(provider, this.#keyFor(provider, key)),
      test: (provider, key) => makers.test(provider, this.#keyFor(provider, key)),
    };
  }

  get keysArePersistent(): boolean {
    return this.#options.secrets.arePersistent;
  }

  isFirstRun(): boolean {
    return !this.#options.choice.current().agentChosen;
  }

  async markChosen(): Promise<void> {
    if (this.isFirstRun()) await this.#options.choice.update(() => ({ agentChosen: true }));
  }

  /**
   * Finds the agents of one open folder by their ids. The same agent comes back until its settings change: some keep a
   * process running, or remember what they have told. Throws AppError `agent-unavailable`.
   */
  forFolder(root: string): (id: string) => Agent {
    const made = new Map<string, { readonly from: string; readonly agent: Agent }>();
    return (id) => {
      if (id === practiceAgent.id) return practiceAgent;
      const { from, make } = this.#recipe(id, root);
      const present = made.get(id);
      if (present?.from === from) return present.agent;
      const agent = make();
      made.set(id, { from, agent });
      return agent;
    };
  }

  #recipe(id: string, root: string): { readonly from: string; readonly make: () => Agent } {
    const { settings, makers } = this.#options;
    const { providers, externalAgents, stepLimit } = settings.current();
    const provider = providers.find((candidate) => candidate.id === id);
    if (provider !== undefined) {
      const key = this.#keyFor(provider);
      return {
        from: JSON.stringify([provider, key, stepLimit]),
        make: () => makers.model(provider, key, stepLimit),
      };
    }
    const external = externalAgents.find((candidate) => candidate.id === id);
    if (external !== undefined) {
      return { from: JSON.stringify(external), make: () => makers.external(external, root) };
    }
    throw new AppError('agent-unavailable', 'That agent is not set up any more; choose another one.');
  }

  list(): AgentDescription[] {
    const { providers, externalAgents } = this.#options.settings.current();
    return [
      {
        id: practiceAgent.id,
        name: practiceAgent.name,
        kind: 'practice',
        guarantee: practiceAgent.guarantee,
        detail: 'Does exactly what the message says; no model, no key.',
        usable: true,
      },
      ...providers.map((provider): AgentDescription => {
        const hasKey = this.#keyFor(provider) !== null;
        const usable = hasKey || !needsKey(provider);
        return {
          id: provider.id,
          name: provider.name,
          kind: 'model',
          guarantee: 'every-write',
          detail: usable ? provider.model : 'Its key is missing.',
          usable,
          provider: { ...provider, hasKey },
        };
      }),
      ...externalAgents.map(
        ({ id, name, command }): AgentDescription => ({
          id,
          name,
          kind: 'acp',
          guarantee: 'opaque',
          detail: command.join(' '),
          usable: true,
        }),
      ),
    ];
  }

  async #saveProvider(provider: Provider, key: string | undefined): Promise<void> {
    const { settings, secrets } = this.#options;
    if (provider.id === practiceAgent.id) throw idTaken();
    await settings.update((present) => {
      if (present.externalAgents.some(({ id }) => id === provider.id)) throw idTaken();
      return {
        ...present,
        providers: [...present.providers.filter(({ id }) => id !== provider.id), provider],
      };
    });
    const address = addressOf(provider);
    if (key !== undefined && key !== '') await secrets.set(provider.id, address, key);
    else if (key === '' || secrets.get(provider.id, address) === null) await secrets.remove(provider.id);
    await this.#changed();
  }

  async #saveExternal(agent: ExternalAgent): Promise<void> {
    if (agent.id === practiceAgent.id) throw idTaken();
    await this.#options.settings.update((present) => {
      if (present.providers.some(({ id }) => id === agent.id)) throw idTaken();
      const others = present.externalAgents.filter(({ id }) => id !== agent.id);
      return { ...present, externalAgents: [...others, agent] };
    });
    await this.#changed();
  }

  async #remove(id: string): Promise<void> {
    await this.#options.settings.update((present) => ({
      ...present,
      agentId: present.agentId === id ? practiceAgent.id : present.agentId,
      providers: present.providers.filter((provider) => provider.id !== id),
      externalAgents: present.externalAgents.filter((agent) => agent.id !== id),
    }));
    await this.#options.secrets.remove(id);
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await this.markChosen();
    this.#options.onChanged();
  }

  /** A key that was just typed, or the one saved for this very address, or one from the environment. */
  #keyFor(provider: ProviderDraft, typed = ''): string | null {
    if (typed !== '') return typed;
    const { secrets, makers } = this.#options;
    return secrets.get(provider.id, addressOf(provider)) ?? makers.keyFromEnvironment(provider);
  }
}

/** Where a key of this provider is sent; the kind alone stands for the provider's own address. */
const addressOf = ({ kind, baseUrl }: ProviderDraft): string => `${kind} ${baseUrl ?? ''}`;

const needsKey = ({ kind, baseUrl }: Provider): boolean =>
  kind !== 'ollama' && kind !== 'openai-compatible' && baseUrl === undefined;

const idTaken = (): AppError =>
  new AppError('ipc-bad-input', 'Another agent has that id already; choose another one.');
