/** Adds an agent that is installed on this machine: one that was found, or a command. */

import { ChevronLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { DetectedAgents } from '../../../shared/app-state.ts';
import { call, messageOf } from '../../api/client.ts';
import { startsFocused } from '../../lib/starts-focused.ts';
import { useApp } from '../../state/app-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Field } from '../../ui/field.tsx';
import { newId, takeNewAgent } from './new-agent.ts';
import { joinCommand, splitCommand } from './split-command.ts';

export function ExternalForm({ onDone }: { readonly onDone: () => void }) {
  const [found, setFound] = useState<DetectedAgents['installedAgents'] | null>(null);
  const [name, setName] = useState('');
  const [command, setCommand] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const takeAgents = useApp((app) => app.takeAgents);

  useEffect(() => {
    call('agents:detect', {})
      .then(({ installedAgents }) => setFound(installedAgents))
      .catch(() => setFound([]));
  }, []);

  const words = splitCommand(command);
  const ready = words.length > 0 && name.trim() !== '' && !busy;
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      const id = newId('agent');
      const agents = await call('agents:save-external', { agent: { id, name: name.trim(), command: words } });
      takeAgents(agents);
      await takeNewAgent(agents, id);
      onDone();
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };

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
      <div className="settings-block">
        <h3>Found on this machine</h3>
        {found === null && <p className="field-hint">Looking…</p>}
        {found?.length === 0 && (
          <p className="field-hint">
            None of the agents known by name is on the PATH. Any agent that speaks the Agent Client Protocol
            can be started by a command below.
          </p>
        )}
        <div className="settings-actions">
          {found?.map((agent) => (
            <Button
              key={agent.name}
              size="small"
              onClick={() => {
                setName(agent.name);
                setCommand(joinCommand(agent.command));
              }}
            >
              {agent.name}
            </Button>
          ))}
        </div>
      </div>
      <Field
        label="Command"
        hint="Program and arguments, run without a shell, in the folder. Quotes keep words together."
      >
        {(ids) => (
          <input
            {...ids}
            {...startsFocused}
            className="input mono"
            spellCheck={false}
            placeholder="my-agent --acp"
            value={command}
            onChange={(event) => setCommand(event.target.value)}
          />
        )}
      </Field>
      <Field label="Name">
        {(ids) => (
          <input
            {...ids}
            className="input"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Callout>
        Such an agent writes by itself. Its turns can be rewound to their start, and to each of its questions,
        because the folder is read before and compared after.
      </Callout>
      {error !== null && <Callout level="error">{error}</Callout>}
      <div className="settings-actions">
        <Button type="submit" look="primary" disabled={!ready}>
          Save
        </Button>
      </div>
    </form>
  );
}
