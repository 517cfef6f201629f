/** Reads the usual environment variables of a proxy, in the form that Chromium takes. */

/** null: none is named. Lower case wins, as in other programs. */
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
    proxyBypassRules: ['<local>', read('NO_PROXY')].filter((rule) => rule !== '').join(','),
  };
}
