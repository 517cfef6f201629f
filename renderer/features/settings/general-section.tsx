/** How the window looks, and what a new chat may do. */

import { NumberField } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { MODES } from '../agents/mode-menu.tsx';
import type { SectionProps } from './settings-dialog.tsx';

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

const MODE_OPTIONS = MODES.map(({ mode, name, explanation }) => ({ value: mode, label: name, explanation }));

export function GeneralSection({ settings, update }: SectionProps) {
  return (
    <>
      <div className="settings-block">
        <h3>Appearance</h3>
        <div>
          <RadioGroup
            look="segments"
            name="Theme"
            options={THEMES}
            value={settings.theme}
            onChange={(theme) => update({ theme })}
          />
        </div>
      </div>
      <div className="settings-block">
        <h3>Permissions of a new chat</h3>
        <RadioGroup
          name="Permissions of a new chat"
          options={MODE_OPTIONS}
          value={settings.permissionMode}
          onChange={(permissionMode) => update({ permissionMode })}
        />
      </div>
      <NumberField
        label="Step limit"
        hint="After this many steps of a model in one turn, the agent stops and asks whether to go on."
        unit="steps"
        value={settings.stepLimit}
        min={1}
        max={1000}
        onCommit={(stepLimit) => update({ stepLimit })}
      />
    </>
  );
}
