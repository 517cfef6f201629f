/** Sets up a model of a provider: address, key, model; with a test before it is used. */

import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useId, useState } from 'react';
import type { AgentDescription, ProviderTest } from '../../../shared/app-state.ts';
import type { Provider } from '../../../shared/settings.ts';
import { call, messageOf } from '../../api/client.ts';
import { startsFocused } from '../../lib/starts-focused.ts';
import { useApp } from '../../state/app-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Field } from '../../ui/field.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { newId, takeNewAgent } from './new-agent.ts';

type Kind = Provider['kind'];

const KINDS: Record<Kind, { name: string; baseUrl: string; keyHint: string }> = {
  anthropic: { name: 'Anthropic', baseUrl: '', keyHint: 'Begins with sk-ant-' },
  openai: { name: 'OpenAI', baseUrl: '', keyHint: 'Begins with sk-' },
  google: { name: 'Google', baseUrl: '', keyHint: 'From Google AI Studio' },
  'openai-compatible': {
    name: 'OpenAI-compatible URL',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyHint: 'Only if the server asks for one',
  },
  ollama: { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434', keyHint: 'Not needed on this machine' },
};

const kindOf = (text: string): Kind =>
  (['anthropic', 'openai', 'google', 'ollama'] as const).find((kind) => kind === text) ?? 'openai-compatible';

function firstUrl({ start, kind = 'anthropic', keyVariable }: ProviderFormProps): string {
  if (start !== null) return start.baseUrl ?? KINDS[start.kind].baseUrl;
  return keyVariable === 'OPENROUTER_API_KEY' ? 'https://openrouter.ai/api/v1' : KINDS[kind].baseUrl;
}

interface ProviderFormProps {
  /** What is saved already, to change it; null adds one. */
  readonly start: NonNullable<AgentDescription['provider']> | null;
  readonly kind?: Kind;
  /** Holds the key already, so none has to be typed. */
  readonly keyVariable?: string;
  readonly onDone: () => void;
}

export function ProviderForm(props: ProviderFormProps) {
  const { start, kind: firstKind = 'anthropic', keyVariable, onDone } = props;
  const [id] = useState(() => start?.id ?? newId('provider'));
  const [kind, setKind] = useState<Kind>(start?.kind ?? firstKind);
  const [name, setName] = useState(start?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(() => firstUrl(props));
  const [key, setKey] = useState('');
  const [model, setModel] = useState(start?.model ?? '');
  const [models, setModels] = useState<readonly string[]>([]);
  const [windows, setWindows] = useState<ReadonlyMap<string, number>>(new Map());
  const [test, setTest] = useState<ProviderTest | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const takeAgents = useApp((app) => app.takeAgents);
  const listId = useId();

  const contextWindow = windows.get(model) ?? (model === start?.model ? start?.contextWindow : undefined);
  const provider = {
    id,
    kind,
    name: name.trim() === '' ? KINDS[kind].name : name.trim(),
    ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
  const withKey = key === '' ? {} : { key };
  /** A saved key goes to the address that it was saved for, and to no other. */
  const isKeySaved =
    start?.hasKey === true && kind === start.kind && baseUrl.trim() === (start.baseUrl ?? '');

  const doing = async (what: string, work: () => Promise<void>) => {
    setBusy(what);
    setError(null);
    setTest(null);
    await work().catch((reason: unknown) => setError(messageOf(reason)));
    setBusy(null);
  };
  const fetchModels = () =>
    doing('Fetching the list', async () => {
      const list = await call('agents:models', { provider, ...withKey });
      setModels(list.models.map((one) => one.id));
      setWindows(
        new Map(list.models.flatMap((one) => (one.contextWindow ? [[one.id, one.contextWindow]] : []))),
      );
      const first = list.models[0];
      if (model === '' && first !== undefined) setModel(first.id);
    });
  const testConnection = () =>
    doing('Testing the connection', async () => {
      setTest(await call('agents:test', { provider: { ...provider, model: model.trim() }, ...withKey }));
    });
  const save = () =>
    doing('Saving', async () => {
      const agents = await call('agents:save-provider', {
        provider: { ...provider, model: model.trim() },
        ...withKey,
      });
      takeAgents(agents);
      if (start === null) await takeNewAgent(agents, id);
      onDone();
    });
  const ready =
    model.trim() !== '' && busy === null && (kind !== 'openai-compatible' || baseUrl.trim() !== '');

  return (
    <form
      className="agent-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void save();
      }}
    >
      <div>
        <Button look="quiet" size="small" icon={<ChevronLeft aria-hidden />} onClick={onDone}>
          All agents
        </Button>
      </div>
      <Field label="Provider">
        {(ids) => (
          <span className="field-select">
            <select
              {...ids}
              className="input"
              value={kind}
              onChange={(event) => {
                const next = kindOf(event.target.value);
                setKind(next);
                setBaseUrl(KINDS[next].baseUrl);
                setModels([]);
                setTest(null);
              }}
            >
              {Object.entries(KINDS).map(([value, { name: label }]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <ChevronDown aria-hidden />
          </span>
        )}
      </Field>
      {(kind === 'openai-compatible' || kind === 'ollama' || start?.baseUrl !== undefined) && (
        <Field label="URL" hint="OpenRouter, vLLM, LM Studio, llama.cpp and others; usually ends in /v1.">
          {(ids) => (
            <input
              {...ids}
              className="input"
              type="url"
              spellCheck={false}
              value={baseUrl}
              onChange={(event) => setBaseUrl(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label="Key"
        hint={
          isKeySaved
            ? 'A key is saved. It is never shown; type a new one to replace it.'
            : start?.hasKey === true
              ? 'The saved key is for the old address and goes when you save. Type it again for this one.'
              : keyVariable !== undefined && kind === firstKind
                ? `Leave it empty to use ${keyVariable} from the environment.`
                : `${KINDS[kind].keyHint}. It is stored in the system’s keyring and never shown again.`
        }
      >
        {(ids) => (
          <input
            {...ids}
            {...startsFocused}
            className="input"
            type="password"
            autoComplete="off"
            placeholder={isKeySaved ? '••••••••' : ''}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <Field label="Model">
        {(ids) => (
          <span className="field-row">
            <input
              {...ids}
              className="input"
              list={listId}
              spellCheck={false}
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
            <Button disabled={busy !== null} onClick={() => void fetchModels()}>
              Fetch list
            </Button>
            <datalist id={listId}>
              {models.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </span>
        )}
      </Field>
      {models.length > 0 && (
        <p className="field-hint">{models.length.toLocaleString()} models; type to search them.</p>
      )}
      <Field label="Name" hint="How it is called in the window.">
        {(ids) => (
          <input
            {...ids}
            className="input"
            value={name}
            placeholder={KINDS[kind].name}
            maxLength={80}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {busy !== null && <ProgressBar name={busy} done={0} total={null} />}
      {error !== null && <Callout level="error">{error}</Callout>}
      {test !== null && <Callout level={test.ok ? 'info' : 'error'}>{test.message}</Callout>}
      <div className="settings-actions">
        <Button type="submit" look="primary" disabled={!ready}>
          Save
        </Button>
        <Button disabled={!ready} onClick={() => void testConnection()}>
          Test connection
        </Button>
      </div>
    </form>
  );
}
