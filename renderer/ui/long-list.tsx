/** Draws a list that may have thousands of items: a long one scrolls in a box of its own and draws what is in sight. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { cx } from '../lib/text.ts';
import './long-list.css';

interface LongListProps<T> {
  readonly items: readonly T[];
  /** The same function each time: another one makes every item measured anew. */
  readonly keyOf: (item: T) => string;
  /** About how high an item is, until it is drawn and measured. */
  readonly estimate: (item: T) => number;
  readonly className: string;
  /** Longer lists draw only what is in sight. */
  readonly from?: number;
  /** The key of the item to scroll to. */
  readonly reveal?: string | null;
  /** The content of an item; what must outlast its scrolling out of sight is kept outside. */
  readonly children: (item: T) => ReactNode;
}

export function LongList<T>(props: LongListProps<T>) {
  return props.items.length > (props.from ?? 100) ? <VirtualList {...props} /> : <WholeList {...props} />;
}

function indexOf<T>({ items, keyOf, reveal = null }: LongListProps<T>): number {
  return reveal === null ? -1 : items.findIndex((item) => keyOf(item) === reveal);
}

function WholeList<T>(props: LongListProps<T>) {
  const { items, keyOf, className, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const wanted = indexOf(props);
  useEffect(() => {
    list.current?.children[wanted]?.scrollIntoView({ block: 'start' });
  }, [wanted]);
  return (
    <ul className={className} ref={list}>
      {items.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </ul>
  );
}

function VirtualList<T>(props: LongListProps<T>) {
  const { items, keyOf, estimate, className, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const getItemKey = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    [items, keyOf],
  );
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    getItemKey,
    estimateSize: (index) => {
      const item = items[index];
      return item === undefined ? 0 : estimate(item);
    },
    overscan: 6,
  });
  const wanted = indexOf(props);
  useEffect(() => {
    if (wanted >= 0) virtual.scrollToIndex(wanted, { align: 'start' });
  }, [virtual, wanted]);
  const drawn = virtual.getVirtualItems();
  return (
    <div className={cx('long-list', className)} ref={box}>
      <ul
        style={{
          paddingTop: drawn[0]?.start ?? 0,
          paddingBottom: virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0),
        }}
      >
        {drawn.map(({ index, key }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
            >
              {children(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
