/** Which command of the slash menu is active, and what the keys do while it is open. */

import { type KeyboardEvent, useState } from 'react';
import { optionsFor, type SlashOption } from './slash-menu.tsx';

interface SlashMenuState {
  readonly open: boolean;
  readonly options: readonly SlashOption[];
  readonly active: number;
  setActive(index: number): void;
  /** True when the key was for the menu. */
  handleKey(event: KeyboardEvent): boolean;
}

interface SlashMenuActions {
  /** Puts the name into the message, for an argument. */
  readonly complete: (option: SlashOption) => void;
  readonly run: (option: SlashOption) => void;
}

export function useSlashMenu(text: string, { complete, run }: SlashMenuActions): SlashMenuState {
  const [position, setPosition] = useState({ text: '', index: 0 });
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const options = optionsFor(text);
  const open = options.length > 0 && closedFor !== text;
  // What is typed next starts at the top again.
  const active = position.text === text ? Math.min(position.index, options.length - 1) : 0;
  const setActive = (index: number) => setPosition({ text, index });

  return {
    open,
    options,
    active,
    setActive,
    handleKey(event) {
      const option = options[active];
      if (!open || option === undefined || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey)
        return false;
      switch (event.key) {
        case 'ArrowDown':
          setActive((active + 1) % options.length);
          return true;
        case 'ArrowUp':
          setActive((active - 1 + options.length) % options.length);
          return true;
        case 'Enter':
          run(option);
          return true;
        case 'Tab':
          complete(option);
          return true;
        case 'Escape':
          setClosedFor(text);
          return true;
        default:
          return false;
      }
    },
  };
}
