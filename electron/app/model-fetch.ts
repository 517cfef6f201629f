/** How requests to a provider leave this computer: through the proxy and with the authorities that the person's environment names. */

import { session } from 'electron';
import { proxyOf } from './proxy.ts';

type Fetch = typeof globalThis.fetch;

/** Chromium's network knows proxies and the system's own authorities; extra authorities in a file only Node's does. */
export async function modelFetch(environment: NodeJS.ProcessEnv): Promise<Fetch> {
  if ((environment.NODE_EXTRA_CA_CERTS ?? '') !== '') return globalThis.fetch;
  // Not the session of the pages: what those may load is restricted to the bundle.
  const network = session.fromPartition('providers');
  const proxy = proxyOf(environment);
  await network.setProxy(proxy === null ? { mode: 'system' } : { mode: 'fixed_servers', ...proxy });
  return (input, init) => network.fetch(input instanceof URL ? input.href : input, init);
}
