/** Paths, each with a reason in words. */

import { LongList } from './long-list.tsx';
import './path-reasons.css';

interface PathReasonsProps {
  readonly items: readonly { readonly path: string; readonly reason: string }[];
}

export function PathReasons({ items }: PathReasonsProps) {
  return (
    <LongList
      className="path-reasons"
      items={items}
      keyOf={({ path, reason }) => `${path} ${reason}`}
      estimate={() => 21}
      from={30}
    >
      {({ path, reason }) => (
        <p>
          <span className="mono">{path}</span> <span className="quiet">{reason}</span>
        </p>
      )}
    </LongList>
  );
}
