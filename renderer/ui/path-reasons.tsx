/** Paths, each with a reason in words. */

import { LongList } from './long-list.tsx';
import './path-reasons.css';

interface PathReason {
  readonly path: string;
  readonly reason: string;
}

/** One path may have several reasons. */
const keyOf = ({ path, reason }: PathReason): string => `${path} ${reason}`;

export function PathReasons({ items }: { readonly items: readonly PathReason[] }) {
  return (
    <LongList className="path-reasons" items={items} keyOf={keyOf} estimate={() => 21} from={30}>
      {({ path, reason }) => (
        <p>
          <span className="mono">{path}</span> <span className="quiet">{reason}</span>
        </p>
      )}
    </LongList>
  );
}
