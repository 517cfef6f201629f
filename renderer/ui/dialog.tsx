/** A modal dialog on the platform's own element: focus stays inside, the rest is inert, Esc closes, focus returns. */

import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useState } from 'react';
import { cx } from '../lib/text.ts';
import { IconButton } from './button.tsx';
import { TopLayer } from './top-layer.ts';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  /** Beside the title, quieter. */
  readonly subtitle?: ReactNode;
  readonly className?: string;
}

export function Dialog({ title, onClose, children, footer, subtitle, className }: DialogProps) {
  const titleId = useId();
  const [element, setElement] = useState<HTMLDialogElement | null>(null);

  useLayoutEffect(() => {
    if (element === null) return;
    const opener = document.activeElement;
    element.showModal();
    // Never the first button, which the platform would take: it is "Close".
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element).focus();
    return () => {
      element.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [element]);

  return (
    <dialog
      ref={setElement}
      className={cx('dialog', className)}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // Also where an open tooltip has taken the press as its own.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <TopLayer value={element}>
        <header className="dialog-header">
          <h2 id={titleId} className="dialog-title">
            {title}
          </h2>
          {subtitle !== undefined && <span className="dialog-subtitle truncate">{subtitle}</span>}
          <IconButton label="Close" className="dialog-close" onClick={onClose}>
            <X />
          </IconButton>
        </header>
        <div className="dialog-body">{children}</div>
        {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
      </TopLayer>
    </dialog>
  );
}
