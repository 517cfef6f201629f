/**
 * A fetch over Node's own http and https that goes through the proxy and trusts the authorities that the person's environment names;
 * Node 20's own fetch knows no proxies, and a packaged app ignores NODE_EXTRA_CA_CERTS. Redirects are not followed.
 */

import { readFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import tls, { type TLSSocket } from 'node:tls';
import { AppError } from '../../../shared/errors.ts';
import { proxyFor } from './proxy-for.ts';

type Fetch = typeof globalThis.fetch;
/** In PEM; undefined means Node's own. */
type Authorities = string[] | undefined;

const CA_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
/** Statuses whose answers have no body by definition. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export const namesAuthorities = (environment: NodeJS.ProcessEnv): boolean =>
  CA_VARIABLES.some((name) => (environment[name] ?? '') !== '');

export function environmentFetch(environment: NodeJS.ProcessEnv): Fetch {
  let authorities: Promise<Authorities> | null = null;
  return async (input, init) => {
    const request = new Request(input, init);
    try {
      authorities ??= readAuthorities(environment);
      return toResponse(await send(request, environment, await authorities));
    } catch (error) {
      request.signal.throwIfAborted();
      // The form in which fetch tells of a failed connection, which its callers know.
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

async function readAuthorities(environment: NodeJS.ProcessEnv): Promise<Authorities> {
  if (!namesAuthorities(environment)) return undefined;
  const files = CA_VARIABLES.map((name) => ({ name, file: environment[name] ?? '' })).filter(
    ({ file }) => file !== '',
  );
  const extra = await Promise.all(
    files.map(({ name, file }) =>
      readFile(file, 'utf8').catch((error: unknown) => {
        throw new AppError('agent-unavailable', `${name} names ${file}, which can't be read.`, {
          cause: error,
        });
      }),
    ),
  );
  return [...tls.rootCertificates, ...extra];
}

async function send(
  request: Request,
  environment: NodeJS.ProcessEnv,
  ca: Authorities,
): Promise<IncomingMessage> {
  const url = new URL(request.url);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const proxy = proxyFor(url, environment);
  const { signal, method } = request;
  const headers = {
    ...Object.fromEntries(request.headers),
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  if (proxy === null) return answerTo(clientOf(url).request(url, { method, headers, signal, ca }), body);
  if (url.protocol === 'http:') {
    const asked = { ...headers, ...proxyHeaders(proxy), host: url.host };
    const whole = { method, headers: asked, path: url.href, signal, ca };
    return answerTo(clientOf(proxy).request(proxy.origin, whole), body);
  }
  const socket = await tunnel(proxy, url, signal, ca);
  // No agent is named: with one, it would make a connection of its own.
  const through = { method, headers: { ...headers, host: url.host }, signal, createConnection: () => socket };
  return answerTo(https.request(url, through), body);
}

const clientOf = (url: URL): typeof http | typeof https => (url.protocol === 'https:' ? https : http);

function answerTo(request: http.ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end(body);
  });
}

/** A TLS connection to the target inside of a connection to the proxy, which sees the name of the target and nothing else. */
function tunnel(proxy: URL, target: URL, signal: AbortSignal, ca: Authorities): Promise<TLSSocket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  return new Promise((resolve, reject) => {
    clientOf(proxy)
      .request(proxy.origin, {
        method: 'CONNECT',
        path: authority,
        headers: { host: authority, ...proxyHeaders(proxy) },
        agent: false,
        signal,
        ca,
      })
      .once('connect', ({ statusCode }, socket) => {
        if (statusCode !== 200) {
          socket.destroy();
          reject(new Error(`The proxy ${proxy.host} answered ${statusCode}.`));
          return;
        }
        const servername = isIP(target.hostname.replace(/[[\]]/g, '')) === 0 ? target.hostname : undefined;
        const secured = tls.connect({ socket, ca, host: target.hostname, servername }, () =>
          resolve(secured),
        );
        secured.once('error', (error) => {
          socket.destroy();
          reject(error);
        });
      })
      .once('error', reject)
      .end();
  });
}

function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers, statusText: answer.statusMessage ?? '' });
}
