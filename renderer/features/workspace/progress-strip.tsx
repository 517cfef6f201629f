/** Long work that goes on in the folder: named, measured, and stoppable where it can be stopped. */

import { useEffect, useState } from 'react';
import type { Progress } from '../../../shared/transcript.ts';
import { useSession } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import './progress-strip.css';

/** Shorter work is over before anyone could read its name. */
const SHOWN_AFTER_MS = 500;

export function ProgressStrip() {
  const progress = useSession(({ view }) => view?.progress);
  if (progress === undefined || progress.length === 0) return null;
  return (
    <div className="progress-strip">
      {progress.map((one) => (
        <ProgressRow key={one.id} progress={one} />
      ))}
    </div>
  );
}

export function ProgressRow({ progress }: { readonly progress: Progress }) {
  const { id, name, done, total, stoppable } = progress;
  const [shown, setShown] = useState(false);
  const stopProgress = useSession((session) => session.stopProgress);
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div className="progress-row">
      <span className="progress-name">{name}</span>
      <ProgressBar name={name} done={done} total={total} />
      <span className="progress-count faint">
        {done.toLocaleString()}
        {total !== null && ` of ${total.toLocaleString()}`}
      </span>
      {stoppable && (
        <Button
          look="quiet"
          size="small"
          aria-label={`Cancel ${name.toLowerCase()}`}
          onClick={() => void stopProgress(id)}
        >
          Cancel
        </Button>
      )}
    </div>
  );
}
