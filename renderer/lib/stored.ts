/** Keeps small things of the window (drafts, panel width) across restarts, in the page's own storage. */

const PREFIX = 'rewind.';

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // A full storage must not stop the typing; the text is still in the composer.
  }
}
