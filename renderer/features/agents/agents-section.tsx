/** Who can answer: the practice agent, models of a provider, and agents installed on this machine. */

import { Bot, Cpu, GraduationCap, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AgentDescription } from '../../../shared/app-state.ts';
import { call, messageOf } from '../../api/client.ts';
import { useApp } from '../../state/app-store.ts';
import type { AgentForm } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ExternalForm } from './external-form.tsx';
import { ProviderForm } from './provider-form.tsx';
import './agents-section.css';

export function AgentsSection({ form }: { readonly form: AgentForm | null }) {
  /** The form that is shown instead of the list. */
  const [editing, setEditing] = useState<AgentForm | AgentDescription | null>(form);
  const [error, setError] = useState<string | null>(null);
  const agents = useApp(({ state }) => state?.agents ?? []);
  const persistent = useApp(({ state }) => state?.keysArePersistent !== false);
  const chosen = useApp(({ state }) => state?.settings.agentId);
  const takeAgents = useApp((app) => app.takeAgents);
  const chooseAgent = useApp((app) => app.chooseAgent);

  useEffect(() => {
    call('agents:list', {})
      .then(takeAgents)
      .catch((reason: unknown) => setError(messageOf(reason)));
  }, [takeAgents]);

  const done = () => setEditing(null);
  if (editing !== null) {
    if (!('what' in editing)) return <ProviderForm start={editing.provider ?? null} onDone={done} />;
    if (editing.what === 'external') return <ExternalForm onDone={done} />;
    const { what: _, ...target } = editing;
    return <ProviderForm start={null} {...target} onDone={done} />;
  }

  const guarded = (work: Promise<void>) => {
    setError(null);
    work.catch((reason: unknown) => setError(messageOf(reason)));
  };
  return (
    <>
      {error !== null && <Callout level="error">{error}</Callout>}
      {!persistent && (
        <Callout level="warning">
          This system has no keyring, so keys are kept for this run only and asked for again after a restart.
        </Callout>
      )}
      <ul className="agent-list">
        {agents.map((agent) => (
          <li key={agent.id} className="agent">
            <AgentIcon kind={agent.kind} />
            <div className="agent-words">
              <p className="agent-name">
                {agent.name}
                {agent.id === chosen && <span className="badge badge-accent">in use</span>}
                {!agent.usable && <span className="badge badge-amber">not ready</span>}
              </p>
              {agent.detail !== '' && <p className="agent-detail">{agent.detail}</p>}
              <p className="agent-detail">
                {agent.guarantee === 'every-write'
                  ? 'Every write captured before it happens'
                  : 'Restorable to the start of the turn, and to each approval'}
              </p>
            </div>
            <div className="settings-actions">
              {agent.id !== chosen && (
                <Button size="small" onClick={() => guarded(chooseAgent(agent.id))}>
                  Use
                </Button>
              )}
              {agent.provider !== undefined && (
                <Button look="quiet" size="small" onClick={() => setEditing(agent)}>
                  Edit
                </Button>
              )}
              {agent.kind !== 'practice' && (
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Remove ${agent.name}`}
                  onClick={() =>
                    guarded(call('agents:remove', { id: agent.provider?.id ?? agent.id }).then(takeAgents))
                  }
                >
                  Remove
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div className="settings-actions">
        <Button
          icon={<Plus aria-hidden />}
          onClick={() => setEditing({ what: 'provider', kind: 'anthropic' })}
        >
          Add a provider
        </Button>
        <Button icon={<Plus aria-hidden />} onClick={() => setEditing({ what: 'external' })}>
          Add an installed agent
        </Button>
      </div>
      <p className="field-hint">
        What you write goes to the agent you choose, and nowhere else. A saved key is never shown again.
      </p>
    </>
  );
}

function AgentIcon({ kind }: { readonly kind: AgentDescription['kind'] }) {
  if (kind === 'practice') return <GraduationCap aria-hidden />;
  return kind === 'model' ? <Cpu aria-hidden /> : <Bot aria-hidden />;
}
