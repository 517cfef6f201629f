/** The agents of an installation: what the window is told of them, and what never leaves. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../../electron/agent/index.ts';
import { type AgentMakers, Agents, openAgentChoice } from '../../electron/app/agents.ts';
import type { DataFile } from '../../electron/app/data-file.ts';
import { openSecrets } from '../../electron/app/secrets.ts';
import { openSettings } from '../../electron/app/settings-file.ts';
import { AppError } from '../../shared/errors.ts';
import type { Provider, Settings } from '../../shared/settings.ts';

const provider: Provider = { id: 'mine', kind: 'openai', name: 'Mine', model: 'm-1' };
const external = { id: 'theirs', name: 'Theirs', command: ['their-agent', '--acp'] };

let folder: string;
let settings: DataFile<Settings>;
let agents: Agents;
let made: unknown[][];
let keysSeen: (string | null)[];
let environmentKey: string | null;
let changes: number;

const fakeAgent = (id: string): Agent => ({
  id,
  name: id,
  guarantee: 'every-write',
  runTurn: async () => ({ status: 'done' }),
});

const makers: AgentMakers = {
  model: (...args) => {
    made.push(args);
    return fakeAgent(args[0].id);
  },
  external: (...args) => {
    made.push(args);
    return fakeAgent(args[0].id);
  },
  detect: async () => ({ localServers: [], installedAgents: [], keyVariables: [] }),
  models: async (_provider, key) => {
    keysSeen.push(key);
    return { models: [] };
  },
  test: async (_provider, key) => {
    keysSeen.push(key);
    return { ok: true, message: 'It answered.' };
  },
  keyFromEnvironment: () => environmentKey,
};

async function openAgents(): Promise<Agents> {
  settings = await openSettings(folder, () => undefined);
  const vault = {
    isReal: true,
    encrypt: async (text: string) => Buffer.from([...text].reverse().join('')),
    decrypt: async (bytes: Buffer) => [...bytes.toString()].reverse().join(''),
  };
  return new Agents({
    settings,
    secrets: await openSecrets(folder, vault, () => undefined),
    choice: await openAgentChoice(folder, () => undefined),
    makers,
    onChanged: () => {
      changes += 1;
    },
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  made = [];
  keysSeen = [];
  environmentKey = null;
  changes = 0;
  agents = await openAgents();
});

const described = (id: string) => agents.list().find((agent) => agent.id === id);

describe('a provider', () => {
  it('is saved with its key, and the window is only told that there is one', async () => {
    await agents.services.saveProvider(provider, 'sk-secret');
    expect(described('mine')).toMatchObject({
      kind: 'model',
      guarantee: 'every-write',
      detail: 'm-1',
      usable: true,
      provider: { ...provider, hasKey: true },
    });
    expect(JSON.stringify(agents.list())).not.toContain('sk-secret');
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('sk-secret');
    }
    expect(changes).toBe(1);
  });

  it('keeps its key when it is saved without one, also after a restart', async () => {
    await agents.services.saveProvider(provider, 'sk-secret');
    await agents.services.saveProvider({ ...provider, model: 'm-2' }, undefined);
    agents = await openAgents();
    agents.forFolder('/folder')('mine');
    expect(made).toEqual([[{ ...provider, model: 'm-2' }, 'sk-secret', settings.current().stepLimit]]);
  });

  it('loses its key when it is saved with an empty one, and says that it is missing', async () => {
    await agents.services.saveProvider(provider, 'sk-secret');
    await agents.services.saveProvider(provider, '');
    expect(described('mine')).toMatchObject({ usable: false, detail: 'Its key is missing.' });
    expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe('{}\n');
  });

  it('has its saved key sent to the address it was saved for, and to no other', async () => {
    await agents.services.saveProvider({ ...provider, baseUrl: 'https://mine.example/v1' }, 'sk-secret');
    const drafts: Partial<Provider>[] = [
      { baseUrl: 'https://mine.example/v1' },
      { baseUrl: 'https://thief.example/v1' },
      { baseUrl: 'https://mine.example.thief.example/v1' },
      { baseUrl: 'http://mine.example/v1' },
      {},
      { kind: 'anthropic', baseUrl: 'https://mine.example/v1' },
    ];
    for (const draft of drafts) {
      await agents.services.test({ ...provider, ...draft }, undefined);
      await agents.services.models({ ...provider, ...draft }, '');
    }
    expect(keysSeen).toEqual(['sk-secret', 'sk-secret', ...Array(10).fill(null)]);
  });

  it('loses its key when its address is changed without a new one, also for the way back', async () => {
    const mine = { ...provider, baseUrl: 'https://mine.example/v1' };
    const moved = { ...provider, baseUrl: 'https://thief.example/v1' };
    await agents.services.saveProvider(mine, 'sk-secret');
    await agents.services.saveProvider(moved, undefined);
    expect(described('mine')).toMatchObject({ provider: { hasKey: false } });
    expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe('{}\n');
    agents.forFolder('/folder')('mine');
    await agents.services.saveProvider(mine, undefined);
    agents.forFolder('/folder')('mine');
    expect(made.map(([, key]) => key)).toEqual([null, null]);
    await agents.services.saveProvider(moved, 'sk-new');
    agents.forFolder('/folder')('mine');
    expect(made.at(-1)?.[1]).toBe('sk-new');
  });

  it('has no key where its settings were pointed elsewhere behind its back', async () => {
    await agents.services.saveProvider(provider, 'sk-secret');
    await settings.update((present) => ({
      ...present,
      providers: [{ ...provider, baseUrl: 'https://thief.example/v1' }],
    }));
    for (const reopened of [agents, await openAgents()]) reopened.forFolder('/folder')('mine');
    expect(made.map(([, key]) => key)).toEqual([null, null]);
  });

  it('takes a key from the environment only when none is saved', async () => {
    environmentKey = 'from-environment';
    await agents.services.saveProvider(provider, undefined);
    expect(described('mine')?.usable).toBe(true);
    await agents.services.test(provider, undefined);
    await agents.services.saveProvider(provider, 'saved');
    await agents.services.test(provider, undefined);
    await agents.services.models(provider, 'typed');
    expect(keysSeen).toEqual(['from-environment', 'saved', 'typed']);
  });

  it('that needs no key is usable without one', async () => {
    await agents.services.saveProvider({ ...provider, kind: 'ollama' }, undefined);
    expect(described('mine')?.usable).toBe(true);
  });

  it('that is removed takes its key with it, and the chat goes on with the practice agent', async () => {
    await agents.services.saveProvider(provider, 'sk-secret');
    await settings.update((present) => ({ ...present, agentId: 'mine' }));
    await agents.services.remove('mine');
    expect(settings.current()).toMatchObject({ agentId: 'practice', providers: [] });
    expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe('{}\n');
    expect(() => agents.forFolder('/folder')('mine')).toThrow(AppError);
  });
});

describe('an external agent', () => {
  it('is described with the weaker guarantee, and made for the folder it works in', async () => {
    await agents.services.saveExternal(external);
    expect(described('theirs')).toMatchObject({
      kind: 'acp',
      guarantee: 'opaque',
      detail: 'their-agent --acp',
    });
    agents.forFolder('/folder')('theirs');
    expect(made).toEqual([[external, '/folder']]);
  });
});

describe('ids', () => {
  it('name one agent each', async () => {
    await agents.services.saveProvider(provider, undefined);
    await agents.services.saveExternal(external);
    await expect(agents.services.saveExternal({ ...external, id: 'mine' })).rejects.toThrow(AppError);
    await expect(agents.services.saveProvider({ ...provider, id: 'theirs' }, undefined)).rejects.toThrow(
      AppError,
    );
    await expect(agents.services.saveProvider({ ...provider, id: 'practice' }, undefined)).rejects.toThrow(
      AppError,
    );
    await expect(agents.services.saveExternal({ ...external, id: 'practice' })).rejects.toThrow(AppError);
    expect(agents.list().map(({ id }) => id)).toEqual(['practice', 'mine', 'theirs']);
  });
});

describe('the agents of a folder', () => {
  it('stay the same until their settings change', async () => {
    await agents.services.saveProvider(provider, undefined);
    const agentOf = agents.forFolder('/folder');
    const first = agentOf('mine');
    expect(agentOf('mine')).toBe(first);
    await agents.services.saveProvider(provider, 'a-key');
    const second = agentOf('mine');
    expect(second).not.toBe(first);
    await settings.update((present) => ({ ...present, stepLimit: 7 }));
    expect(agentOf('mine')).not.toBe(second);
  });

  it('are not shared with another folder', async () => {
    await agents.services.saveExternal(external);
    expect(agents.forFolder('/a')('theirs')).not.toBe(agents.forFolder('/b')('theirs'));
  });
});

describe('the first run', () => {
  it('is over once an agent was chosen or set up, also after a restart', async () => {
    expect(agents.isFirstRun()).toBe(true);
    await agents.services.saveExternal(external);
    expect(agents.isFirstRun()).toBe(false);
    expect((await openAgents()).isFirstRun()).toBe(false);
  });
});
