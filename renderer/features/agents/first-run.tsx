/** The first choice of an agent, offered inside the empty conversation; the composer works meanwhile. */

import { GraduationCap, KeyRound, Link2, Server, SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { DetectedAgents } from '../../../shared/app-state.ts';
import { call, messageOf } from '../../api/client.ts';
import { plural } from '../../lib/text.ts';
import { useApp } from '../../state/app-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { newId, takeNewAgent } from './new-agent.ts';
import './first-run.css';

export function FirstRun() {
  const openSettings = useWindow((open) => open.openSettings);
  const chooseAgent = useApp((app) => app.chooseAgent);
  const [error, setError] = useState<string | null>(null);
  const guarded = (work: Promise<void>) => {
    setError(null);
    work.catch((reason: unknown) => setError(messageOf(reason)));
  };
  return (
    <section className="first-run" aria-labelledby="first-run-title">
      <h3 id="first-run-title" className="empty-chat-heading">
        Who should answer?
      </h3>
      <ul className="first-run-list">
        <Found onChoose={guarded} />
        <Choice
          icon={<KeyRound aria-hidden />}
          name="Paste a key"
          explanation="Anthropic, OpenAI or Google"
          onClick={() => openSettings('agents', { what: 'provider', kind: 'anthropic' })}
        />
        <Choice
          icon={<Link2 aria-hidden />}
          name="Any OpenAI-compatible URL"
          explanation="OpenRouter, vLLM, LM Studio, llama.cpp …"
          onClick={() => openSettings('agents', { what: 'provider', kind: 'openai-compatible' })}
        />
        <Choice
          icon={<SquareTerminal aria-hidden />}
          name="Use an installed agent"
          explanation="A coding agent that you have already"
          onClick={() => openSettings('agents', { what: 'external' })}
        />
        <Choice
          icon={<GraduationCap aria-hidden />}
          name="Try the practice agent"
          explanation="Offline, without a model, to see how it works"
          onClick={() => guarded(chooseAgent('practice'))}
        />
      </ul>
      {error !== null && <Callout level="error">{error}</Callout>}
    </section>
  );
}

interface ChoiceProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly explanation: string;
  readonly onClick: () => void;
}

function Choice({ icon, name, explanation, onClick }: ChoiceProps) {
  return (
    <li>
      <button type="button" className="first-run-choice" onClick={onClick}>
        {icon}
        <span className="first-run-words">
          <span className="first-run-name">{name}</span>
          <span className="first-run-explanation">{explanation}</span>
        </span>
      </button>
    </li>
  );
}

/** Local model servers, installed agents, and key variables by name. */
function Found({ onChoose }: { readonly onChoose: (work: Promise<void>) => void }) {
  const [found, setFound] = useState<DetectedAgents | null>(null);
  const openSettings = useWindow((open) => open.openSettings);
  useEffect(() => {
    call('agents:detect', {})
      .then(setFound)
      // Nothing found is all that a failed look means here; the other ways stay.
      .catch(() => setFound({ localServers: [], installedAgents: [], keyVariables: [] }));
  }, []);
  const count =
    found === null ? 0 : found.localServers.length + found.installedAgents.length + found.keyVariables.length;
  return (
    <li className="first-run-found">
      <Server aria-hidden />
      <div className="first-run-words">
        <span className="first-run-name">Found on this machine</span>
        <span className="first-run-explanation">
          {found === null
            ? 'Looking for model servers, agents and keys…'
            : count === 0
              ? 'No model server, known agent or key variable'
              : plural(count, 'thing')}
        </span>
        {found !== null && count > 0 && (
          <div className="first-run-buttons">
            {found.localServers.map((server) => (
              <Button
                key={server.baseUrl}
                size="small"
                disabled={server.models.length === 0}
                onClick={() => onChoose(takeServer(server))}
              >
                {server.name}: {server.models[0] ?? 'no model loaded'}
              </Button>
            ))}
            {found.installedAgents.map((agent) => (
              <Button key={agent.name} size="small" onClick={() => onChoose(takeInstalled(agent))}>
                {agent.name}
              </Button>
            ))}
            {found.keyVariables.map(({ name, kind }) => (
              <Button
                key={name}
                size="small"
                onClick={() => openSettings('agents', { what: 'provider', kind, keyVariable: name })}
              >
                {name} is set
              </Button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

async function takeServer(server: DetectedAgents['localServers'][number]): Promise<void> {
  const [model] = server.models;
  if (model === undefined) return;
  const id = newId('provider');
  const { kind, name, baseUrl } = server;
  const agents = await call('agents:save-provider', { provider: { id, kind, name, baseUrl, model } });
  useApp.getState().takeAgents(agents);
  await takeNewAgent(agents, id);
}

async function takeInstalled({ name, command }: DetectedAgents['installedAgents'][number]): Promise<void> {
  const id = newId('agent');
  const agents = await call('agents:save-external', { agent: { id, name, command: [...command] } });
  useApp.getState().takeAgents(agents);
  await takeNewAgent(agents, id);
}
