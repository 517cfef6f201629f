/** The page comes from the bundle and from nowhere else. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePathOf, CONTENT_SECURITY_POLICY, serveBundle } from '../../electron/app/protocol.ts';

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'protocol-'));
  bundle = join(folder, 'renderer');
  await mkdir(join(bundle, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.html'), 'secret');
  await writeFile(join(bundle, 'index.html'), '<!doctype html>');
  await writeFile(join(bundle, 'assets', 'main.js'), 'export {};');
  await writeFile(join(bundle, 'assets', 'main.css'), 'body {}');
  await writeFile(join(bundle, 'assets', 'tool.wasm'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const get = (address: string, init?: RequestInit) => serveBundle(bundle, new Request(address, init));

describe('app://bundle', () => {
  it.each([
    ['app://bundle/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/assets/main.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['app://bundle/assets/main.css?v=1#top', 'text/css; charset=utf-8', 'body {}'],
  ])('serves %s as %s', async (address, type, text) => {
    const response = await get(address);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(await response.text()).toBe(text);
  });

  it.each([
    'app://bundle/../secret.html',
    'app://bundle/%2e%2e/secret.html',
    'app://bundle/assets/../../secret.html',
    'app://bundle/..%2fsecret.html',
    'app://bundle/%2e%2e%2fsecret.html',
    'app://bundle/..%5csecret.html',
    'app://bundle/assets/..%5c..%5csecret.html',
    'app://bundle/..\\secret.html',
    'app://bundle//etc/passwd.html',
    'app://bundle/%2fetc/passwd.html',
    'app://bundle/C:%5csecret.html',
    'app://bundle/index.html%00.js',
    'app://bundle/index.html::$DATA',
    'app://bundle/%ff.html',
    'app://bundle/%252e%252e%252fsecret.html',
    'app://bundle/',
    'app://bundle/assets/',
    'app://bundle/assets',
    'app://bundle/missing.html',
    'app://bundle/assets/tool.wasm',
    'app://other/index.html',
    'app://bundle.example.org/index.html',
    'app://bundle:81/index.html',
    'https://bundle/index.html',
    'file:///etc/passwd.html',
  ])('refuses %s', async (address) => {
    const response = await get(address);
    expect([403, 404]).toContain(response.status);
    expect(await response.text()).toBe('');
  });

  it('refuses other methods than GET', async () => {
    expect((await get('app://bundle/index.html', { method: 'POST', body: 'x' })).status).toBe(403);
  });

  it('never gives a component that could leave the bundle', () => {
    for (let code = 0; code < 256; code += 1) {
      const encoded = `%${code.toString(16).padStart(2, '0')}`;
      for (const address of [
        `app://bundle/${encoded}`,
        `app://bundle/..${encoded}x`,
        `app://bundle/a/.${encoded}`,
      ]) {
        for (const component of bundlePathOf(address) ?? []) {
          expect(component).not.toMatch(/^\.{0,2}$|[/\\:\0]/);
        }
      }
    }
  });
});

describe('the content security policy', () => {
  it('allows the bundle and nothing else', () => {
    expect(CONTENT_SECURITY_POLICY).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    );
  });
});
