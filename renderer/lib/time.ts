/** Writes moments for people: near ones in relation to now, the exact one for the tooltip. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** "just now", "4 min ago", "3 h ago", "yesterday, 14:05", "12 Nov", "12 Nov 2024". */
export function relativeTime(atMs: number, nowMs: number): string {
  const age = nowMs - atMs;
  if (age < 45_000) return 'just now';
  if (age < HOUR_MS) return `${Math.max(1, Math.round(age / MINUTE_MS))} min ago`;
  const startOfToday = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= startOfToday || age < 6 * HOUR_MS) return `${Math.round(age / HOUR_MS)} h ago`;
  if (atMs >= startOfToday - DAY_MS) return `yesterday, ${clock.format(atMs)}`;
  return new Date(atMs).getFullYear() === new Date(nowMs).getFullYear()
    ? day.format(atMs)
    : dayOfYear.format(atMs);
}

export const exactTime = (atMs: number): string => exact.format(atMs);
