/** How requests to a provider leave this computer: through the proxy and with the authorities that the person's environment names. */

import { session } from 'electron';
import { environmentFetch, namesAuthorities } from '../agent/model/index.ts';
import { proxyOf } from './proxy.ts';

type Fetch = typeof globalThis.fetch;

/** Chromium's network knows proxies and the system's own authorities, but no extra ones in a file. */
export async function modelFetch(environment: NodeJS.ProcessEnv): Promise<Fetch> {
  if (namesAuthorities(environment)) return environmentFetch(environment);
  // Not the session of the pages: what those may load is restricted to the bundle.
  const network = session.fromPartition('providers');
  const proxy = proxyOf(environment);
  await network.setProxy(proxy === null ? { mode: 'system' } : { mode: 'fixed_servers', ...proxy });
  // A redirect would carry the key on to an address that it was not saved for.
  return (input, init) =>
    network.fetch(input instanceof URL ? input.href : input, { ...init, redirect: 'error' });
}
