/** The buttons of the window: primary, plain, quiet and dangerous; with or without words. */

import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from '../lib/text.ts';
import { Hint } from './hint.tsx';
import './button.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'medium';
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', size = 'medium', icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cx('button', `button-${look}`, `button-${size}`, className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** The accessible name, also shown on hover. */
  readonly label: string;
  readonly shortcut?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, shortcut, className, children, ...rest }: IconButtonProps) {
  return (
    <Hint text={label} {...(shortcut === undefined ? {} : { shortcut })}>
      <button type="button" aria-label={label} className={cx('icon-button', className)} {...rest}>
        {children}
      </button>
    </Hint>
  );
}
