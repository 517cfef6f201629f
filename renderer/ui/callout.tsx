/** A short message in place: what happened and what to do, with its actions. */

import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/text.ts';
import './callout.css';

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert };

interface CalloutProps {
  readonly level?: keyof typeof ICONS;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly className?: string;
}

export function Callout({ level = 'info', children, actions, className }: CalloutProps) {
  const Icon = ICONS[level];
  return (
    <div
      className={cx('callout', `callout-${level}`, className)}
      {...(level === 'error' ? { role: 'alert' } : {})}
    >
      <Icon className="callout-icon" aria-hidden />
      <div className="callout-text">{children}</div>
      {actions !== undefined && <div className="callout-actions">{actions}</div>}
    </div>
  );
}
