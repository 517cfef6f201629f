/** Keeps the newest in sight while the person is at the end, and leaves them alone once they scroll up. */

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const NEAR_PX = 32;

interface StickToBottom {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly atBottom: boolean;
  jumpToLatest(): void;
}

/** `enabled` is false while there is nothing to follow: the empty conversation is read from its top. */
export function useStickToBottom(enabled: boolean): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [atBottom, setAtBottom] = useState(true);

  const jumpToLatest = useCallback(() => {
    stuck.current = true;
    setAtBottom(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (box === null || inner === null || !enabled) return;
    let lastTop = box.scrollTop;
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      // Content that grows also moves the end away; only a move upwards means that the person left it.
      if (near) stuck.current = true;
      else if (box.scrollTop < lastTop) stuck.current = false;
      lastTop = box.scrollTop;
      setAtBottom(near || stuck.current);
    };
    const follow = () => {
      if (stuck.current) box.scrollTop = box.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    follow();
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [enabled]);

  return { scroller, content, atBottom, jumpToLatest };
}
