/** One path of a plan: what happens to it, why, its diff on request, and the choice where it is a conflict. */

import { ChevronRight, CircleSlash, Equal, RotateCcw, Trash2, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import type { FileState } from '../../../shared/file-state.ts';
import type { TurnNumber } from '../../../shared/ids.ts';
import type { ConflictChoice, PlanItem } from '../../../shared/rewind.ts';
import type { TurnDiff } from '../../../shared/session.ts';
import { call, messageOf } from '../../api/client.ts';
import { formatBytes, splitPath } from '../../lib/text.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { Callout } from '../../ui/callout.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { DiffView } from '../diff/diff-view.tsx';

interface PlanItemRowProps {
  readonly item: PlanItem;
  /** Those of its facts that are not said for the whole group. */
  readonly marks: readonly string[];
  readonly turn: TurnNumber;
  readonly conflict: {
    readonly choice: ConflictChoice | null;
    readonly onChoose: (choice: ConflictChoice) => void;
    readonly disabled: boolean;
  } | null;
}

const isFolder = ({ wanted, present }: PlanItem): boolean =>
  wanted.kind === 'directory' || present.kind === 'directory';

const CHOICES = [
  { value: 'go-back', label: 'Go back' },
  { value: 'keep-mine', label: 'Keep mine' },
] as const;

export const PlanItemRow = memo(function PlanItemRow({ item, marks, turn, conflict }: PlanItemRowProps) {
  const [open, setOpen] = useState(false);
  const { folder, name } = splitPath(item.path);
  return (
    <>
      <div className="plan-line">
        <button type="button" className="plan-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight className="plan-chevron" aria-hidden />
          <ItemIcon item={item} />
          <span className="plan-path truncate" title={item.path}>
            <span className="faint">{folder}</span>
            {name}
            {isFolder(item) && '/'}
          </span>
        </button>
        {conflict === null ? (
          <span className="plan-detail">
            {[...marks, detailOf(item)].filter((part) => part !== '').join(' · ')}
          </span>
        ) : (
          <RadioGroup
            look="segments"
            name={item.path}
            options={CHOICES}
            value={conflict.choice}
            onChange={conflict.onChoose}
            disabled={conflict.disabled}
          />
        )}
      </div>
      {item.reason !== undefined && <p className="plan-reason">{item.reason}</p>}
      {conflict !== null &&
        marks.map((mark) => (
          <p key={mark} className="plan-reason">
            {mark}
          </p>
        ))}
      {open && <Preview turn={turn} path={item.path} />}
    </>
  );
});

function ItemIcon({ item: { verdict, action } }: { readonly item: PlanItem }) {
  if (verdict === 'conflict') return <TriangleAlert className="plan-icon plan-icon-conflict" aria-hidden />;
  if (verdict === 'skipped' || verdict === 'lost')
    return <CircleSlash className="plan-icon plan-icon-lost" aria-hidden />;
  if (action === 'delete') return <Trash2 className="plan-icon" aria-hidden />;
  if (action === 'write') return <RotateCcw className="plan-icon plan-icon-back" aria-hidden />;
  return <Equal className="plan-icon" aria-hidden />;
}

/** The kind of change in a word or two; the diff says the rest. */
function detailOf({ wanted, present, action }: PlanItem): string {
  if (action === 'delete') return present.kind === 'directory' ? 'folder, if empty' : '';
  if (action === 'none') return '';
  if (present.kind === 'absent') return `comes back${sizeOf(wanted)}`;
  if (wanted.kind === 'content' && present.kind === 'content' && wanted.sha256 === present.sha256)
    return 'permissions';
  if (wanted.kind !== present.kind) return `${wordFor(present)} to ${wordFor(wanted)}`;
  return '';
}

const sizeOf = (state: FileState): string =>
  state.kind === 'content' ? `, ${formatBytes(state.bytes)}` : '';

function wordFor(state: FileState): string {
  switch (state.kind) {
    case 'absent':
      return 'nothing';
    case 'content':
      return 'file';
    case 'symlink':
      return 'link';
    case 'directory':
      return 'folder';
    case 'skipped':
      return 'not held';
  }
}

function Preview({ turn, path }: { readonly turn: TurnNumber; readonly path: string }) {
  const [diff, setDiff] = useState<TurnDiff | null>(null);
  const [error, setError] = useState<string | null>(null);
  // Mounted with each opening, so the diff is never older than the look at it.
  useEffect(() => {
    call('rewind:preview', { workspaceId: currentWorkspaceId(), turn, path })
      .then(setDiff)
      .catch((reason: unknown) => setError(messageOf(reason)));
  }, [turn, path]);
  if (error !== null) return <Callout level="error">{error}</Callout>;
  return (
    <div className="plan-diff">
      {diff === null ? <p className="diff-none">Comparing…</p> : <DiffView diff={diff} />}
    </div>
  );
}
