/** How requests to a provider leave this computer: through the proxy and with the authorities that the person's environment names. */

import { session } from 'electron';

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

export function proxyOf(
  environment: NodeJS.ProcessEnv,
): { readonly proxyRules: string; readonly proxyBypassRules: string } | null {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const rules = [
    ['http', read('HTTP_PROXY')],
    ['https', read('HTTPS_PROXY')],
  ]
    .filter(([, address]) => address !== '')
    .map(([scheme, address]) => `${scheme}=${address}`);
  if (rules.length === 0) return null;
  return {
    proxyRules: rules.join(';'),
    proxyBypassRules: ['<local>', ...read('NO_PROXY').split(',')].join(','),
  };
}
