/** Which proxy the usual environment variables name for an address. Pure. */

import { AppError } from '../../../shared/errors.ts';

/** null: none, go directly. Lower case wins, as in other programs. Throws AppError `agent-unavailable` for one that can't be used. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | null {
  const read = (name: string): string => environment[name] || environment[name.toUpperCase()] || '';
  const address = read(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') || read('all_proxy');
  if (address === '' || isLoopback(url.hostname) || isExcepted(url, read('no_proxy'))) return null;
  const full = address.includes('://') ? address : `http://${address}`;
  const proxy = URL.canParse(full) ? new URL(full) : null;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  // Its words may hold a password, so they are not repeated.
  throw new AppError(
    'agent-unavailable',
    'The proxy that the environment names is not an http or https address; this app can use only those.',
  );
}

/** Servers of models on this computer are never behind a proxy. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** `*`, or names that stand for themselves and all below them, each with an optional port. */
function isExcepted(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      const host = name.replace(/^\*?\./, '');
      const fits = url.hostname === host || url.hostname.endsWith(`.${host}`);
      return fits && (onlyPort === undefined || onlyPort === port);
    });
}
