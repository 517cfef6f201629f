/** A small explanation that appears on hover and focus. */

import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTopLayer } from './top-layer.ts';
import './hint.css';

interface HintProps {
  readonly text: ReactNode;
  readonly shortcut?: string;
  readonly children: ReactNode;
}

export function Hint({ text, shortcut, children }: HintProps) {
  const container = useTopLayer();
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={container}>
        <Tooltip.Content className="hint" sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut !== undefined && <kbd className="hint-key">{shortcut}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export const HintProvider = ({ children }: { readonly children: ReactNode }) => (
  <Tooltip.Provider delayDuration={450} skipDelayDuration={200}>
    {children}
  </Tooltip.Provider>
);
