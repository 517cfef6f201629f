/** The turns to go back to, newest first under "Now"; what would be undone is drawn as undone. */

import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { EntrySummary } from '../../../shared/history.ts';
import type { TurnNumber } from '../../../shared/ids.ts';
import { countFiles } from '../../lib/changes.ts';
import { cx, plural } from '../../lib/text.ts';
import { exactTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import './turn-listbox.css';

interface TurnListboxProps {
  readonly turns: readonly EntrySummary[];
  /** null is "Now". */
  readonly selected: TurnNumber | null;
  readonly onSelect: (turn: TurnNumber | null) => void;
  /** Enter: on "Now" it closes, on a turn it goes on to the plan. It never begins a rewind. */
  readonly onEnter: () => void;
  readonly onEndReached: () => void;
}

const optionId = (turn: TurnNumber | null) => `turn-option-${turn ?? 'now'}`;

export function TurnListbox({ turns, selected, onSelect, onEnter, onEndReached }: TurnListboxProps) {
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const selectable = [null, ...turns.filter(({ status }) => status === 'kept').map(({ turn }) => turn)];

  useEffect(() => {
    document.getElementById(optionId(selected))?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    const position = selectable.indexOf(selected);
    const target = targetOf(event.key, position, selectable.length);
    if (target !== null) {
      event.preventDefault();
      const turn = selectable[target];
      if (turn !== undefined) onSelect(turn);
      if (target >= selectable.length - 2) onEndReached();
    } else if (event.key === 'Enter' && !event.repeat) {
      event.preventDefault();
      onEnter();
    }
  };

  return (
    <div
      ref={list}
      role="listbox"
      aria-label="Turns"
      aria-activedescendant={optionId(selected)}
      className="turn-list"
      tabIndex={0}
      data-autofocus
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < 200) onEndReached();
      }}
    >
      <Option turn={null} selected={selected === null} disabled={false} undone={false} onSelect={onSelect}>
        <span className="turn-label">Now</span>
        <span className="turn-meta">The folder as it is</span>
      </Option>
      {turns.map((entry) => {
        const rewound = entry.status === 'rewound';
        return (
          <Option
            key={entry.turn}
            turn={entry.turn}
            selected={selected === entry.turn}
            disabled={rewound}
            undone={selected !== null && entry.turn >= selected && !rewound}
            onSelect={onSelect}
          >
            <span className="turn-label">{entry.label === '' ? 'Without words' : entry.label}</span>
            <span className="turn-meta">
              Turn {entry.turn} ·{' '}
              {rewound ? (
                'already rewound'
              ) : (
                <>
                  <span title={exactTime(entry.atMs)}>{relativeTime(entry.atMs, now)}</span> ·{' '}
                  {plural(countFiles(entry.captures), 'file')}
                </>
              )}
            </span>
          </Option>
        );
      })}
    </div>
  );
}

function targetOf(key: string, position: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(position + 1, count - 1);
    case 'ArrowUp':
      return Math.max(position - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

interface OptionProps {
  readonly turn: TurnNumber | null;
  readonly selected: boolean;
  readonly disabled: boolean;
  readonly undone: boolean;
  readonly onSelect: (turn: TurnNumber | null) => void;
  readonly children: React.ReactNode;
}

function Option({ turn, selected, disabled, undone, onSelect, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard goes through the listbox
    <div
      id={optionId(turn)}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-disabled={disabled}
      className={cx('turn-option', undone && 'turn-undone')}
      onClick={() => !disabled && onSelect(turn)}
    >
      <span className="turn-dot" aria-hidden />
      <span className="turn-words">{children}</span>
    </div>
  );
}
