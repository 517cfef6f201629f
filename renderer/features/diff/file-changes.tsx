/** What one entry of the history changed in one file. Its diff is asked for once it comes into sight. */

import { useEffect, useState } from 'react';
import type { CaptureSummary } from '../../../shared/history.ts';
import type { TurnNumber } from '../../../shared/ids.ts';
import type { TurnDiff } from '../../../shared/session.ts';
import { call, messageOf } from '../../api/client.ts';
import { isFolder } from '../../lib/changes.ts';
import { splitPath } from '../../lib/text.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { Callout } from '../../ui/callout.tsx';
import { ChangeMark, LineCounts } from '../../ui/change-mark.tsx';
import { DiffView } from './diff-view.tsx';

/** Diffs that were fetched, and sections that were folded: both outlast a section that is scrolled out of sight. */
export interface FileMemory {
  readonly diffs: Map<string, TurnDiff>;
  readonly folded: Set<string>;
}

interface FileChangesProps {
  readonly turn: TurnNumber;
  readonly capture: CaptureSummary;
  readonly marks: readonly string[];
  readonly memory: FileMemory;
}

export function FileChanges({ turn, capture, marks, memory }: FileChangesProps) {
  const { path, change, lines } = capture;
  const { folder, name } = splitPath(path);
  const [open, setOpen] = useState(!memory.folded.has(path));
  return (
    <details
      open={open}
      className="changes-file"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) memory.folded.delete(path);
        else memory.folded.add(path);
      }}
    >
      <summary>
        <ChangeMark change={change} />
        <span className="changes-path truncate" title={path}>
          <span className="faint">{folder}</span>
          {name}
          {isFolder(capture) && '/'}
        </span>
        {marks.map((mark) => (
          <span key={mark} className="badge">
            {mark}
          </span>
        ))}
        {lines !== null && <LineCounts {...lines} />}
      </summary>
      {!open ? null : isFolder(capture) ? (
        <p className="diff-none">{folderWords(capture)}</p>
      ) : (
        <FileDiff turn={turn} capture={capture} known={memory.diffs} />
      )}
    </details>
  );
}

/** Asked for by its path, a folder would bring the diffs of everything below it. */
function folderWords({ change, pre }: CaptureSummary): string {
  if (change === 'created') return 'A new folder.';
  if (change === 'deleted') return 'The folder was removed.';
  if (change === 'mode') return 'The permissions of the folder changed.';
  return pre.kind === 'directory'
    ? 'A file took the place of the folder.'
    : 'A folder took the place of the file.';
}

interface FileDiffProps {
  readonly turn: TurnNumber;
  readonly capture: CaptureSummary;
  readonly known: Map<string, TurnDiff>;
}

function FileDiff({ turn, capture, known }: FileDiffProps) {
  const { path } = capture;
  // A turn that still runs may change the file again.
  const key = JSON.stringify([turn, path, capture.post]);
  const [diff, setDiff] = useState(known.get(key));
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    let wanted = true;
    const have = known.get(key);
    if (have !== undefined) {
      setDiff(have);
      return;
    }
    call('history:diff', { workspaceId: currentWorkspaceId(), turn, path })
      .then((diffs) => {
        const found = diffs.find((one) => one.path === path);
        if (found === undefined) return;
        known.set(key, found);
        if (wanted) setDiff(found);
      })
      .catch((reason: unknown) => wanted && setError(messageOf(reason)));
    return () => {
      wanted = false;
    };
  }, [known, key, turn, path]);

  if (error !== null) return <Callout level="error">{error}</Callout>;
  if (diff !== undefined) return <DiffView diff={diff} />;
  return <div style={{ height: heightOf(capture) }} />;
}

const ROW = 20;
/** Beyond this a diff scrolls in a box of its own. */
const HIGHEST = 560;

/** About how high a diff will be, so that nothing jumps when it comes. */
export function heightOf(capture: CaptureSummary): number {
  if (isFolder(capture) || capture.lines === null) return 2 * ROW;
  const { added, removed } = capture.lines;
  return Math.min(HIGHEST, ROW * (added + removed + 7));
}
