/** Chooses how much the agent may do without asking, in plain words. */

import { Check, ChevronDown, Eye, Hand, Zap } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { PermissionMode } from '../../../shared/transcript.ts';
import { useSession } from '../../state/session-store.ts';

export const MODES = [
  { mode: 'ask', name: 'Ask', Icon: Hand, explanation: 'Asks before each write and each command.' },
  {
    mode: 'full',
    name: 'Full',
    Icon: Zap,
    explanation:
      'Never asks. What it does in this folder can be rewound; what a command does elsewhere can’t.',
  },
  {
    mode: 'read-only',
    name: 'Read only',
    Icon: Eye,
    explanation: 'Reads and answers. Writes and commands are refused.',
  },
] as const satisfies readonly { mode: PermissionMode; [key: string]: unknown }[];

export function ModeMenu() {
  const mode = useSession(({ view }) => view?.mode ?? 'ask');
  const setMode = useSession((session) => session.setMode);
  const current = MODES.find((one) => one.mode === mode) ?? MODES[0];
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="mode-button" aria-label={`Permissions: ${current.name}`}>
          <current.Icon aria-hidden />
          {current.name}
          <ChevronDown aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={8}>
          <DropdownMenu.RadioGroup
            value={mode}
            onValueChange={(value) => {
              const chosen = MODES.find((one) => one.mode === value);
              if (chosen !== undefined) setMode(chosen.mode);
            }}
          >
            {MODES.map(({ mode: value, name, Icon, explanation }) => (
              <DropdownMenu.RadioItem key={value} value={value} className="menu-item">
                <Icon aria-hidden />
                <span className="menu-words">
                  <span className="menu-name">{name}</span>
                  <span className="menu-explanation">{explanation}</span>
                </span>
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
