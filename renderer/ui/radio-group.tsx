/** A group of choices as native radio buttons: arrows move, the name and each explanation are announced. */

import { type ReactNode, useId } from 'react';
import { cx } from '../lib/text.ts';
import './radio-group.css';

interface RadioOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly explanation?: ReactNode;
  readonly disabled?: boolean;
}

interface RadioGroupProps<T extends string> {
  readonly name: string;
  readonly options: readonly RadioOption<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
  /** `segments` draws the choices as one row of joined buttons. */
  readonly look?: 'list' | 'segments';
  readonly disabled?: boolean;
}

export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { name, options, value, onChange, look = 'list', disabled = false } = props;
  const id = useId();
  return (
    <div role="radiogroup" aria-label={name} className={cx('radio-group', `radio-${look}`)}>
      {options.map((option) => (
        <label key={option.value} className="radio">
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={value === option.value}
            disabled={disabled || option.disabled === true}
            onChange={() => onChange(option.value)}
            aria-label={option.label}
            {...(option.explanation === undefined ? {} : { 'aria-describedby': `${id}-${option.value}` })}
          />
          <span className="radio-words">
            <span className="radio-label">{option.label}</span>
            {option.explanation !== undefined && (
              <span id={`${id}-${option.value}`} className="radio-explanation">
                {option.explanation}
              </span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}
