/** Draws the beginning of a list that may have thousands of items, and more of it on request. */

import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

interface LongListProps<T> {
  readonly items: readonly T[];
  readonly step?: number;
  readonly noun: string;
  readonly children: (item: T) => ReactNode;
}

/** Renders its items without a wrapper, so that the caller's list stays the list. */
export function LongList<T>({ items, step = 100, noun, children }: LongListProps<T>) {
  const [shown, setShown] = useState(step);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map(children)}
      {left > 0 && (
        <li>
          <Button look="quiet" size="small" onClick={() => setShown(shown + 5 * step)}>
            Show {Math.min(left, 5 * step).toLocaleString()} more of {left.toLocaleString()} {noun}
          </Button>
        </li>
      )}
    </>
  );
}
