/** Labelled fields of forms and settings. */

import { type ReactNode, useEffect, useId, useState } from 'react';
import { cx } from '../lib/text.ts';
import './field.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {children({ id, ...described })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly unit?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onCommit: (value: number) => void;
}

/** Takes the number over when the person leaves the field; something that is no number goes back to what was. */
export function NumberField({ label, hint, unit, value, min, max, onCommit }: NumberFieldProps) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const commit = () => {
    const number = Math.round(Number(text));
    if (text.trim() === '' || !Number.isFinite(number) || number < min || number > max)
      setText(String(value));
    else if (number !== value) onCommit(number);
  };
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <span className="field-row">
          <input
            {...ids}
            className="input input-number"
            inputMode="numeric"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={commit}
            onKeyDown={(event) => event.key === 'Enter' && commit()}
          />
          {unit !== undefined && <span className="quiet">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly className?: string;
}

export function Check({ label, hint, checked, onChange, className }: CheckProps) {
  const id = useId();
  return (
    <label className={cx('check', className)}>
      <input
        type="checkbox"
        checked={checked}
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint !== undefined && (
          <span id={id} className="field-hint">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
