/** What a rewind covers: sizes, left-out folders, and the budget of what is read around commands. */

import { useEffect, useState } from 'react';
import { useSession } from '../../state/session-store.ts';
import { Check, Field, NumberField } from '../../ui/field.tsx';
import type { SectionProps } from './settings-dialog.tsx';

const MB = 1024 ** 2;

export function CoverageSection({ settings, update }: SectionProps) {
  const folder = useSession(({ workspace }) => workspace);
  return (
    <>
      <NumberField
        label="Largest file that is held"
        hint="A larger file is listed as not covered, with its size: a rewind can’t bring it back, and never deletes it."
        unit="MB"
        value={Math.round(settings.maxFileBytes / MB)}
        min={0}
        max={1024}
        onCommit={(megabytes) => update({ maxFileBytes: megabytes * MB })}
      />
      <div className="settings-block">
        <h3>Around commands and agents that write by themselves</h3>
        <p className="field-hint">
          Before such a step the folder is read, so that a copy of every covered file exists. Over the budget,
          the largest folders are left out and named in the turn.
        </p>
        <NumberField
          label="Files"
          value={settings.baselineMaxFiles}
          min={0}
          max={10_000_000}
          onCommit={(baselineMaxFiles) => update({ baselineMaxFiles })}
        />
        <NumberField
          label="Space"
          unit="MB"
          value={Math.round(settings.baselineMaxBytes / MB)}
          min={0}
          max={MB}
          onCommit={(megabytes) => update({ baselineMaxBytes: megabytes * MB })}
        />
      </div>
      <div className="settings-block">
        <Check
          label="Leave out the usual dependency and cache folders"
          hint="node_modules, .venv, __pycache__, target and the like. Files that git ignores, such as .env, are covered."
          checked={settings.leftOutFolders === null}
          onChange={(usual) => update({ leftOutFolders: usual ? null : [] })}
        />
        {settings.leftOutFolders !== null && (
          <LinesField
            label="Folder names to leave out"
            hint="One a line. An empty list covers everything."
            lines={settings.leftOutFolders}
            onCommit={(leftOutFolders) => update({ leftOutFolders })}
          />
        )}
      </div>
      {folder !== null && <FolderOverrides path={folder.path} settings={settings} update={update} />}
      <Check
        label="Allow opening the home folder"
        hint="Refused by default: a home folder holds far more than one project, and much of it changes all the time."
        checked={settings.allowHomeFolder}
        onChange={(allowHomeFolder) => update({ allowHomeFolder })}
      />
    </>
  );
}

function FolderOverrides({ path, settings, update }: SectionProps & { readonly path: string }) {
  const { leaveOut, include } = settings.folderOverrides[path] ?? { leaveOut: [], include: [] };
  const change = (patch: { leaveOut?: string[]; include?: string[] }) =>
    update({ folderOverrides: { ...settings.folderOverrides, [path]: { leaveOut, include, ...patch } } });
  return (
    <div className="settings-block">
      <h3>Only in this folder</h3>
      <LinesField label="Also leave out" lines={leaveOut} onCommit={(lines) => change({ leaveOut: lines })} />
      <LinesField
        label="Cover nevertheless"
        hint="Folder names, one a line. Kept in the app’s own data: nothing inside a folder can switch its coverage off."
        lines={include}
        onCommit={(lines) => change({ include: lines })}
      />
    </div>
  );
}

interface LinesFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly lines: readonly string[];
  readonly onCommit: (lines: string[]) => void;
}

function LinesField({ label, hint, lines, onCommit }: LinesFieldProps) {
  const joined = lines.join('\n');
  const [text, setText] = useState(joined);
  useEffect(() => setText(joined), [joined]);
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <textarea
          {...ids}
          className="input"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => {
            const next = text.split('\n').map((line) => line.trim());
            onCommit(next.filter((line, index) => line !== '' && next.indexOf(line) === index));
          }}
        />
      )}
    </Field>
  );
}
