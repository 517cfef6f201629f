/** The whole window: the start screen or an open folder, and what lies over either. */

import { useEffect } from 'react';
import { SettingsDialog } from './features/settings/settings-dialog.tsx';
import { StartScreen } from './features/workspace/start-screen.tsx';
import { TrustDialog } from './features/workspace/trust-dialog.tsx';
import { WorkspaceView } from './features/workspace/workspace-view.tsx';
import { writeStored } from './lib/stored.ts';
import { useAnnouncement } from './state/announcer.ts';
import { useApp } from './state/app-store.ts';
import { useSession } from './state/session-store.ts';
import { useWindow } from './state/window-store.ts';
import { HintProvider } from './ui/hint.tsx';

export function App() {
  const state = useApp((app) => app.state);
  const workspace = useSession((session) => session.workspace);
  const question = useApp((app) => app.question);
  const settings = useWindow((open) => open.settings);
  const announcement = useAnnouncement(({ text }) => text);
  const theme = state?.settings.theme;

  useEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset.theme = theme;
    writeStored('theme', theme);
  }, [theme]);

  useEffect(() => {
    document.title = workspace === null ? 'osFoundry Rewind' : `${workspace.name} – osFoundry Rewind`;
  }, [workspace]);

  return (
    <HintProvider>
      {workspace === null ? (
        <StartScreen />
      ) : (
        <WorkspaceView key={workspace.workspaceId} workspace={workspace} />
      )}
      {question !== null && <TrustDialog question={question} />}
      {settings !== null && <SettingsDialog {...settings} />}
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
    </HintProvider>
  );
}
