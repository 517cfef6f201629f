/** The mark of the app: a clock hand that goes back. */

import './brand-mark.css';

export function BrandMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="brand-ground" />
      <path d="M9.1 12.2A8 8 0 1 1 8 16.4" className="brand-line" />
      <path d="M8.6 7.8v4.9h4.9" className="brand-line" />
      <path d="M16 12v4.3l-3 1.9" className="brand-line" />
    </svg>
  );
}
