/** The one place that hands an address to the system. */

import { AppError } from '../../shared/errors.ts';

const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

export interface LinkOpener {
  /** Asks the person; an agent's link may be a way to carry data out of the folder. */
  confirm(url: string): Promise<boolean>;
  open(url: string): Promise<void>;
}

/** True when the link was opened. Throws AppError `ipc-bad-input` for anything that is not http, https or mailto. */
export async function openLink(url: string, fromAgent: boolean, opener: LinkOpener): Promise<boolean> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !OPENABLE.has(parsed.protocol)) {
    throw new AppError('ipc-bad-input', 'Only web and mail addresses are opened.');
  }
  // What is shown and opened is what was parsed, not the text that came in.
  if (fromAgent && !(await opener.confirm(parsed.href))) return false;
  await opener.open(parsed.href);
  return true;
}
