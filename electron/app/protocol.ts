/** Serves the page from `app://bundle/`, and nothing outside of the bundle. */

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
export const START_PAGE = `${APP_ORIGIN}/index.html`;

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.ico', 'image/x-icon'],
]);

/**
 * The components of a file in the bundle that an address names, or null when it is refused. The URL parser has already
 * resolved plain and encoded dots; what is left to refuse is what only decoding shows (`%2f`, `%5c`, `%00`).
 */
export function bundlePathOf(address: string): readonly string[] | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return null;
  const components: string[] = [];
  for (const encoded of url.pathname.split('/').slice(1)) {
    let component: string;
    try {
      component = decodeURIComponent(encoded);
    } catch {
      return null;
    }
    if (component === '' || component === '.' || component === '..') return null;
    // A colon is a drive or an alternate stream on Windows.
    if (/[/\\:\0]/.test(component)) return null;
    components.push(component);
  }
  return components;
}

/** Answers one request of a page. */
export async function serveBundle(bundleFolder: string, request: Request): Promise<Response> {
  const components = request.method === 'GET' ? bundlePathOf(request.url) : null;
  if (components === null) return refusal(403);
  const type = MIME_TYPES.get(extname(components.at(-1) ?? ''));
  if (type === undefined) return refusal(404);
  try {
    const body = await readFile(join(bundleFolder, ...components));
    return new Response(new Uint8Array(body), { headers: { ...SECURITY_HEADERS, 'content-type': type } });
  } catch {
    return refusal(404);
  }
}

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const refusal = (status: number): Response => new Response(null, { status, headers: SECURITY_HEADERS });
