/** The top of an open folder: which one it is, and the ways to go back, to look back, and to set things. */

import { ChevronLeft, PanelRight, RotateCcw, Settings } from 'lucide-react';
import type { WorkspaceInfo } from '../../../shared/app-state.ts';
import { useApp } from '../../state/app-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import './header.css';

export function Header({ workspace }: { readonly workspace: WorkspaceInfo }) {
  const closeFolder = useApp((app) => app.closeFolder);
  const historyOpen = useWindow((open) => open.historyOpen);
  const setHistoryOpen = useWindow((open) => open.setHistoryOpen);
  const openSettings = useWindow((open) => open.openSettings);
  const openRewind = useWindow((open) => open.openRewind);
  return (
    <header className="header">
      <IconButton label="All folders" onClick={() => void closeFolder()}>
        <ChevronLeft />
      </IconButton>
      <div className="header-folder">
        <h1 className="header-name truncate">{workspace.name}</h1>
        <span className="header-path truncate" title={workspace.path}>
          {workspace.path}
        </span>
      </div>
      <Button
        size="small"
        icon={<RotateCcw aria-hidden />}
        title="Esc Esc in an empty message, or /rewind"
        onClick={() => openRewind({ kind: 'rewind', turn: null })}
      >
        Rewind…
      </Button>
      <IconButton
        label={historyOpen ? 'Hide history' : 'Show history'}
        aria-pressed={historyOpen}
        onClick={() => setHistoryOpen(!historyOpen)}
      >
        <PanelRight />
      </IconButton>
      <IconButton label="Settings" onClick={() => openSettings('general')}>
        <Settings />
      </IconButton>
    </header>
  );
}
