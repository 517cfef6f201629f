/** Chooses who answers the next message. */

import { ChevronDown } from 'lucide-react';
import { messageOf } from '../../api/client.ts';
import { useApp } from '../../state/app-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button } from '../../ui/button.tsx';
import './agents.css';

export function AgentSelect() {
  const state = useApp((app) => app.state);
  const chooseAgent = useApp((app) => app.chooseAgent);
  const fail = useApp((app) => app.fail);
  const openSettings = useWindow((open) => open.openSettings);
  if (state === null) return null;
  const { agents, settings } = state;
  const onlyPractice = agents.every(({ kind }) => kind === 'practice');
  return (
    <>
      <span className="select">
        <select
          aria-label="Agent"
          value={settings.agentId}
          onChange={(event) => {
            chooseAgent(event.target.value).catch((error: unknown) => fail(messageOf(error)));
          }}
        >
          {!agents.some(({ id }) => id === settings.agentId) && (
            <option value={settings.agentId}>Choose an agent</option>
          )}
          {agents.map(({ id, name, detail, usable }) => (
            <option key={id} value={id}>
              {usable || detail === '' ? name : `${name} (${detail.replace(/\.$/, '')})`}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden />
      </span>
      {onlyPractice && (
        <Button look="quiet" size="small" className="connect" onClick={() => openSettings('agents')}>
          Connect a model…
        </Button>
      )}
    </>
  );
}
