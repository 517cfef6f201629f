/** How a file changed, as a letter with a name, and how many lines came and went. */

import type { ChangeKind } from '../../shared/file-state.ts';
import './change-mark.css';

const MARKS: Record<ChangeKind, { letter: string; name: string }> = {
  created: { letter: 'A', name: 'created' },
  modified: { letter: 'M', name: 'modified' },
  deleted: { letter: 'D', name: 'deleted' },
  mode: { letter: 'P', name: 'permissions changed' },
};

/** null: the path is as it was in the end. */
export function ChangeMark({ change }: { readonly change: ChangeKind | null }) {
  const { letter, name } = change === null ? { letter: '·', name: 'unchanged' } : MARKS[change];
  return (
    <span className={`change-mark change-${change ?? 'none'}`} title={name}>
      <span aria-hidden>{letter}</span>
      <span className="visually-hidden">{name}</span>
    </span>
  );
}

export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="line-counts">
      <span className="line-added">+{added.toLocaleString()}</span>{' '}
      <span className="line-removed">−{removed.toLocaleString()}</span>
    </span>
  );
}
