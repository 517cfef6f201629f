/** All settings, in four sections. A change holds at once; there is nothing to save. */

import { Tabs } from 'radix-ui';
import { useState } from 'react';
import type { Settings } from '../../../shared/settings.ts';
import { messageOf } from '../../api/client.ts';
import { useApp } from '../../state/app-store.ts';
import { useSession } from '../../state/session-store.ts';
import { type OpenSettings, useWindow } from '../../state/window-store.ts';
import { Callout } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AgentsSection } from '../agents/agents-section.tsx';
import { CoverageSection } from './coverage-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { HistorySection } from './history-section.tsx';
import './settings-dialog.css';

export interface SectionProps {
  readonly settings: Settings;
  readonly update: (patch: Partial<Settings>) => void;
}

const SECTIONS = [
  ['general', 'General'],
  ['agents', 'Agents'],
  ['coverage', 'Coverage'],
  ['history', 'History'],
] as const;

export function SettingsDialog({ section, form }: OpenSettings) {
  const settings = useApp(({ state }) => state?.settings);
  const version = useApp(({ state }) => state?.version);
  const updateSettings = useApp((app) => app.updateSettings);
  const close = useWindow((open) => open.closeSettings);
  const hasFolder = useSession(({ workspace }) => workspace !== null);
  const [error, setError] = useState<string | null>(null);
  if (settings === undefined) return null;
  const update = (patch: Partial<Settings>) => {
    setError(null);
    updateSettings(patch).catch((reason: unknown) => setError(messageOf(reason)));
  };
  return (
    <Dialog title="Settings" className="settings" onClose={close}>
      <Tabs.Root className="settings-tabs" orientation="vertical" defaultValue={section}>
        <Tabs.List className="settings-list" aria-label="Sections">
          {SECTIONS.map(([value, name]) => (
            <Tabs.Trigger
              key={value}
              value={value}
              {...(value === section && form === null ? { 'data-autofocus': true } : {})}
            >
              {name}
            </Tabs.Trigger>
          ))}
          <span className="settings-version">Version {version}</span>
        </Tabs.List>
        <div className="settings-content">
          {error !== null && <Callout level="error">{error}</Callout>}
          <Tabs.Content value="general" className="settings-section" tabIndex={-1}>
            <GeneralSection settings={settings} update={update} />
          </Tabs.Content>
          <Tabs.Content value="agents" className="settings-section" tabIndex={-1}>
            <AgentsSection form={form} />
          </Tabs.Content>
          <Tabs.Content value="coverage" className="settings-section" tabIndex={-1}>
            <CoverageSection settings={settings} update={update} />
          </Tabs.Content>
          <Tabs.Content value="history" className="settings-section" tabIndex={-1}>
            <HistorySection settings={settings} update={update} hasFolder={hasFolder} />
          </Tabs.Content>
        </div>
      </Tabs.Root>
    </Dialog>
  );
}
