/** Care of the history: how safely it is written, checking it, making it smaller, removing it for good. */

import { useEffect, useState } from 'react';
import type { PruneReport, StoreStats, VerifyReport } from '../../../shared/history.ts';
import { call, messageOf } from '../../api/client.ts';
import { startsFocused } from '../../lib/starts-focused.ts';
import { formatBytes, plural } from '../../lib/text.ts';
import { useHistory } from '../../state/history-store.ts';
import { currentWorkspaceId, useSession } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { NumberField } from '../../ui/field.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import type { SectionProps } from './settings-dialog.tsx';

const DURABILITIES = [
  {
    value: 'full',
    label: 'Safe against power loss',
    explanation: 'The stored bytes are on the disk before a file changes. The default.',
  },
  {
    value: 'process',
    label: 'Faster, safe against crashes of the app',
    explanation:
      'The system writes when it likes. If the computer loses power, the newest captures may be missing, and those changes could not be rewound.',
  },
] as const;

export function HistorySection({
  settings,
  update,
  hasFolder,
}: SectionProps & { readonly hasFolder: boolean }) {
  return (
    <>
      <div className="settings-block">
        <h3>How history is written</h3>
        <RadioGroup
          name="Durability"
          options={DURABILITIES}
          value={settings.durability}
          onChange={(durability) => update({ durability })}
        />
      </div>
      {hasFolder ? (
        <FolderHistory />
      ) : (
        <p className="field-hint">Open a folder to check, shrink or remove its history.</p>
      )}
    </>
  );
}

type Work = 'verify' | 'preview' | 'prune' | 'forget';

const WORK_NAMES: Record<Work, string> = {
  verify: 'Checking the history',
  preview: 'Counting',
  prune: 'Removing old turns',
  forget: 'Removing the history',
};

function FolderHistory() {
  const [stats, setStats] = useState<StoreStats | null>(null);
  const [keepTurns, setKeepTurns] = useState(100);
  const [verified, setVerified] = useState<VerifyReport | null>(null);
  const [preview, setPreview] = useState<PruneReport | null>(null);
  const [pruned, setPruned] = useState<PruneReport | null>(null);
  const [confirming, setConfirming] = useState(false);
  const [work, setWork] = useState<Work | null>(null);
  const [error, setError] = useState<string | null>(null);
  const running = useSession(({ view }) => view !== null && view.running !== null);

  useEffect(() => {
    call('store:stats', { workspaceId: currentWorkspaceId() })
      .then(setStats)
      .catch((reason: unknown) => setError(messageOf(reason)));
  }, []);

  const doing = async (kind: Work, task: () => Promise<void>) => {
    setWork(kind);
    setError(null);
    try {
      await task();
      setStats(await call('store:stats', { workspaceId: currentWorkspaceId() }));
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setWork(null);
    }
  };
  const prune = (dryRun: boolean) =>
    call('store:prune', { workspaceId: currentWorkspaceId(), keepTurns, dryRun });
  const busy = work !== null || running;

  return (
    <>
      {error !== null && <Callout level="error">{error}</Callout>}
      {running && <Callout>A turn is running; the history can be changed once it has ended.</Callout>}
      {work !== null && <ProgressBar name={WORK_NAMES[work]} done={0} total={null} />}
      <div className="settings-block">
        <h3>Check</h3>
        {stats !== null && (
          <p className="field-hint">
            {plural(stats.turns, 'turn')}, {plural(stats.captures, 'recorded change')},{' '}
            {formatBytes(stats.bytesOnDisk)} on disk.
          </p>
        )}
        <div className="settings-actions">
          <Button
            disabled={busy}
            onClick={() =>
              void doing('verify', async () => {
                setVerified(await call('store:verify', { workspaceId: currentWorkspaceId() }));
              })
            }
          >
            Verify history
          </Button>
        </div>
        {verified !== null && <VerifyResult report={verified} />}
      </div>
      <div className="settings-block">
        <h3>Make smaller</h3>
        <NumberField
          label="Turns to keep"
          hint="The newest ones. What is removed can’t be rewound any more; files in the folder stay as they are."
          value={keepTurns}
          min={0}
          max={1_000_000}
          onCommit={(turns) => {
            setKeepTurns(turns);
            setPreview(null);
          }}
        />
        <div className="settings-actions">
          <Button
            disabled={busy}
            onClick={() =>
              void doing('preview', async () => {
                setPruned(null);
                setPreview(await prune(true));
              })
            }
          >
            Preview
          </Button>
          {preview !== null && preview.turnsRemoved > 0 && (
            <Button
              look="danger"
              disabled={busy}
              onClick={() =>
                void doing('prune', async () => {
                  setPruned(await prune(false));
                  setPreview(null);
                  await useHistory.getState().refresh();
                })
              }
            >
              Remove {plural(preview.turnsRemoved, 'turn')}
            </Button>
          )}
          <span className="quiet" role="status">
            {preview !== null &&
              (preview.turnsRemoved === 0
                ? 'Nothing to remove.'
                : `Would remove ${plural(preview.turnsRemoved, 'turn')} and free ${formatBytes(preview.bytesFreed)}.`)}
            {pruned !== null &&
              `Removed ${plural(pruned.turnsRemoved, 'turn')}, freed ${formatBytes(pruned.bytesFreed)}.`}
          </span>
        </div>
      </div>
      <div className="settings-block">
        <h3>Forget</h3>
        <p className="field-hint">
          Removes every stored copy and the conversation of this folder for good. Files stay as they are. This
          can’t be undone.
        </p>
        <div className="settings-actions">
          {confirming ? (
            <>
              <Button
                look="danger"
                disabled={busy}
                onClick={() =>
                  void doing('forget', async () => {
                    await call('store:forget', { workspaceId: currentWorkspaceId() });
                    setConfirming(false);
                    setVerified(null);
                    await useSession.getState().reload();
                    await useHistory.getState().refresh();
                  })
                }
              >
                Yes, remove the history for good
              </Button>
              <Button look="quiet" {...startsFocused} onClick={() => setConfirming(false)}>
                Keep it
              </Button>
            </>
          ) : (
            <Button look="danger" disabled={busy} onClick={() => setConfirming(true)}>
              Forget history…
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

function VerifyResult({ report }: { readonly report: VerifyReport }) {
  if (report.ok) {
    return (
      <Callout>
        All {plural(report.blobs, 'stored copy', 'stored copies')} are whole ({formatBytes(report.bytes)},{' '}
        {plural(report.turns, 'turn')}).
      </Callout>
    );
  }
  return (
    <Callout level="error">
      {plural(report.missing.length, 'stored copy is', 'stored copies are')} missing and{' '}
      {report.damaged.length.toLocaleString()} damaged. A rewind that needs one of them says so and leaves the
      file as it is.
    </Callout>
  );
}
