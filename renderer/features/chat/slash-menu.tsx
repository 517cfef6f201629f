/** The list of commands that opens on `/`; the focus stays in the message. */

import { SLASH_COMMANDS } from '../../../shared/slash-commands.ts';
import './slash-menu.css';

export type SlashOption = (typeof SLASH_COMMANDS)[number];

/** The commands that what is typed so far may become; none once the name is complete and more follows. */
export function optionsFor(text: string): readonly SlashOption[] {
  return /^\/[a-z-]*$/.test(text) ? SLASH_COMMANDS.filter(({ name }) => name.startsWith(text)) : [];
}

export const optionId = (option: SlashOption) => `command${option.name.replace('/', '-')}`;

interface SlashMenuProps {
  readonly options: readonly SlashOption[];
  readonly active: number;
  readonly onHover: (index: number) => void;
  readonly onChoose: (option: SlashOption) => void;
}

export function SlashMenu({ options, active, onHover, onChoose }: SlashMenuProps) {
  return (
    <div className="slash-menu" role="listbox" id="commands" aria-label="Commands" tabIndex={-1}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard goes through the message that owns the list
        <div
          key={option.name}
          id={optionId(option)}
          role="option"
          tabIndex={-1}
          aria-label={option.name}
          aria-description={option.summary}
          aria-selected={index === active}
          className="slash-option"
          onMouseMove={() => onHover(index)}
          // Taking the focus from the message would close the list before the click arrives.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <span className="slash-name">{option.name}</span>
          <span className="slash-argument">{option.argument}</span>
          <span className="slash-summary truncate">{option.summary}</span>
        </div>
      ))}
    </div>
  );
}
