/** The window without a folder: what the app promises, and the way to a folder. */

import { FolderOpen, FolderX, Settings, X } from 'lucide-react';
import type { RecentFolder } from '../../../shared/app-state.ts';
import { exactTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { useApp } from '../../state/app-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import './start-screen.css';

export function StartScreen() {
  const recent = useApp(({ state }) => state?.recentFolders);
  const error = useApp((app) => app.error);
  const opening = useApp((app) => app.opening);
  const openDialog = useApp((app) => app.openDialog);
  const openSettings = useWindow((open) => open.openSettings);
  return (
    <main className="start">
      <div className="start-column">
        <BrandMark size={44} />
        <h1 className="start-title">Rewind</h1>
        <p className="start-promise">
          Chat with a coding agent in a folder, and put the folder back, byte for byte, to how it was before
          any turn.
        </p>
        <div className="start-actions">
          <Button
            look="primary"
            icon={<FolderOpen aria-hidden />}
            disabled={opening}
            onClick={() => void openDialog()}
          >
            Open folder…
          </Button>
          <Button look="quiet" icon={<Settings aria-hidden />} onClick={() => openSettings('general')}>
            Settings
          </Button>
        </div>
        {error !== null && <Callout level="error">{error}</Callout>}
        <h2 className="start-heading" id="recent-folders">
          Recent folders
        </h2>
        {recent?.length === 0 && (
          <p className="start-none">
            Folders you open appear here. Nothing is sent anywhere when you open one; its history stays inside
            it, in <code>.osfoundry</code>.
          </p>
        )}
        <ul className="start-recent" aria-labelledby="recent-folders">
          {recent?.map((folder) => (
            <RecentItem key={folder.recentId} folder={folder} />
          ))}
        </ul>
      </div>
    </main>
  );
}

function RecentItem({ folder }: { readonly folder: RecentFolder }) {
  const now = useNow();
  const openRecent = useApp((app) => app.openRecent);
  const forgetRecent = useApp((app) => app.forgetRecent);
  const opening = useApp((app) => app.opening);
  return (
    <li className="recent">
      <button
        type="button"
        className="recent-open"
        disabled={!folder.exists || opening}
        onClick={() => void openRecent(folder.recentId)}
      >
        {folder.exists ? <FolderOpen aria-hidden /> : <FolderX aria-hidden />}
        <span className="recent-words">
          <span className="recent-name truncate">{folder.name}</span>
          <span className="recent-path truncate" title={folder.path}>
            {folder.path}
          </span>
        </span>
        <span className="recent-time" title={exactTime(folder.openedAtMs)}>
          {folder.exists ? relativeTime(folder.openedAtMs, now) : 'not found'}
        </span>
      </button>
      <IconButton
        label={`Remove ${folder.name} from the list`}
        className="recent-remove"
        onClick={() => void forgetRecent(folder.recentId)}
      >
        <X />
      </IconButton>
    </li>
  );
}
