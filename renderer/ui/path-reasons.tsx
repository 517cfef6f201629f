/** Paths, each with a reason in words. */

import { LongList } from './long-list.tsx';
import './path-reasons.css';

interface PathReasonsProps {
  readonly items: readonly { readonly path: string; readonly reason: string }[];
  readonly step: number;
}

export function PathReasons({ items, step }: PathReasonsProps) {
  return (
    <ul className="path-reasons">
      <LongList items={items} step={step} noun="paths">
        {({ path, reason }) => (
          <li key={`${path} ${reason}`}>
            <span className="mono">{path}</span> <span className="quiet">{reason}</span>
          </li>
        )}
      </LongList>
    </ul>
  );
}
