/** What a rewind can't bring back, each with its reason; shown wherever a person decides about going back. */

import { ShieldAlert } from 'lucide-react';
import type { NotCovered } from '../../shared/history.ts';
import { PathReasons } from './path-reasons.tsx';
import './not-covered-list.css';

export function NotCoveredList({ items }: { readonly items: readonly NotCovered[] }) {
  return (
    <div className="not-covered">
      <p className="not-covered-title">
        <ShieldAlert aria-hidden />
        Not covered by a rewind
      </p>
      <PathReasons items={items} />
    </div>
  );
}
