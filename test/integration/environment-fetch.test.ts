/** How requests to a provider leave the computer: proxies, authorities, Stop, and no redirects. */

import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { environmentFetch } from '../../electron/agent/model/index.ts';
import { proxyFor } from '../../electron/agent/model/proxy-for.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../helpers/test-certificate.ts';

let asked: string[];

beforeEach(() => {
  asked = [];
});

async function listening(server: Server | https.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.emit('closing');
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  asked.push(`${request.method} ${request.url} ${request.headers.host} ${body}`.trim());
  response.writeHead(200, { 'content-type': 'text/plain' }).end('answered');
};

/** A proxy that sends every tunnel to one port, whatever name was asked for. */
async function proxyTo(port: number): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    seen.push(`${method} ${url} ${headers['proxy-authorization'] ?? ''}`.trim());
  };
  const server = createServer((request, response) => {
    note(request);
    response.end('from the proxy');
  });
  server.on('connect', (request, socket) => {
    note(request);
    if (request.url?.startsWith('refused') === true) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => target.destroy());
    // A server does not count its tunnels among the connections that it can close.
    server.on('closing', () => socket.destroy());
  });
  return { port: await listening(server), seen };
}

async function certificateFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'ca.pem');
  await writeFile(file, TEST_CERTIFICATE);
  return file;
}

const startTls = (): Promise<number> =>
  listening(https.createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (...all) => void answer(...all)));

describe('a fetch by the environment', () => {
  it('goes directly where nothing is named', async () => {
    const port = await listening(createServer((...all) => void answer(...all)));
    const fetch = environmentFetch({});
    const response = await fetch(`http://127.0.0.1:${port}/v1/x?y=1`, { method: 'POST', body: '{"a":"é"}' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain',
      'answered',
    ]);
    expect(asked).toEqual([`POST /v1/x?y=1 127.0.0.1:${port} {"a":"é"}`]);
  });

  it('reaches an https server through a proxy, trusting the authority that is named', async () => {
    const proxy = await proxyTo(await startTls());
    const fetch = environmentFetch({
      HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: await certificateFile(),
    });
    const response = await fetch('https://model.test/v1/models', { headers: { authorization: 'Bearer k' } });
    expect(await response.text()).toBe('answered');
    expect(asked).toEqual(['GET /v1/models model.test']);
    const credentials = Buffer.from('me:p@ss').toString('base64');
    expect(proxy.seen).toEqual([`CONNECT model.test:443 Basic ${credentials}`]);
  });

  it('does not trust a server whose authority is not named', async () => {
    const proxy = await proxyTo(await startTls());
    const fetch = environmentFetch({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    await expect(fetch('https://model.test/')).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(asked).toEqual([]);
  });

  it('asks a proxy for a plain address by its whole name', async () => {
    const proxy = await proxyTo(0);
    const fetch = environmentFetch({ http_proxy: `127.0.0.1:${proxy.port}` });
    expect(await (await fetch('http://model.test/v1')).text()).toBe('from the proxy');
    expect(proxy.seen).toEqual(['GET http://model.test/v1']);
  });

  it('says what a proxy answered that refuses', async () => {
    const proxy = await proxyTo(0);
    const fetch = environmentFetch({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    await expect(fetch('https://refused.test/')).rejects.toMatchObject({
      cause: { message: expect.stringContaining('403') },
    });
  });

  it('says which variable names an authority that is not there', async () => {
    const fetch = environmentFetch({ NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' });
    await expect(fetch('http://127.0.0.1:1/')).rejects.toMatchObject({
      cause: { message: expect.stringContaining('NODE_EXTRA_CA_CERTS names /nowhere/ca.pem') },
    });
  });

  it('does not follow a redirect, so that a key never goes on to another address', async () => {
    const elsewhere = await listening(createServer((...all) => void answer(...all)));
    const port = await listening(
      createServer((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end();
      }),
    );
    const response = await environmentFetch({})(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'x-api-key': 'secret' },
      body: '{}',
    });
    expect(response.status).toBe(307);
    expect(asked).toEqual([]);
  });

  it('ends at Stop, before the answer and in the middle of it', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/begins') response.write('begun');
    });
    const port = await listening(server);
    const fetch = environmentFetch({});
    const before = new AbortController();
    const waiting = fetch(`http://127.0.0.1:${port}/silent`, { signal: before.signal });
    before.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const middle = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/begins`, { signal: middle.signal });
    const text = response.text();
    middle.abort();
    await expect(text).rejects.toThrow(/abort/i);
  });
});

describe('the proxy of an address', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://p:1' }, 'https://a.example/', 'http://p:1'],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://a.example/', null],
    [{ ALL_PROXY: 'p:1' }, 'http://a.example/', 'http://p:1'],
    [{ https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'https://a.example/', 'http://low:1'],
    [{ ALL_PROXY: 'http://p:1' }, 'http://127.0.0.1:11434/', null],
    [{ ALL_PROXY: 'http://p:1' }, 'http://localhost:1234/', null],
    [{ ALL_PROXY: 'http://p:1' }, 'http://[::1]:1234/', null],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'b.example, .a.example' }, 'https://x.a.example/', null],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'a.example' }, 'https://bad-a.example/', 'http://p:1'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'a.example:8443' }, 'https://a.example/', 'http://p:1'],
    [{ ALL_PROXY: 'http://p:1', no_proxy: '*' }, 'https://a.example/', null],
  ])('%j: to %s by %s', (environment, url, expected) => {
    expect(proxyFor(new URL(url), environment)?.origin ?? null).toBe(expected);
  });

  it('is refused without its words when it is of another kind', () => {
    const environment = { https_proxy: 'socks5://me:secret@p:1' };
    expect(() => proxyFor(new URL('https://a.example/'), environment)).toThrow(/not an http or https/);
    expect(() => proxyFor(new URL('https://a.example/'), environment)).not.toThrow(/secret/);
  });
});
