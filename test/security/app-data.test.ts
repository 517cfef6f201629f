/** The app's own data: settings, keys, known histories, links, the log. */

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKnownStores } from '../../electron/app/known-stores.ts';
import { openLog } from '../../electron/app/log.ts';
import { openLink } from '../../electron/app/open-link.ts';
import { proxyOf } from '../../electron/app/proxy.ts';
import { openRecentFolders } from '../../electron/app/recent-folders.ts';
import { openSecrets, type Vault, vaultOf } from '../../electron/app/secrets.ts';
import { openSettings } from '../../electron/app/settings-file.ts';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';

let folder: string;
let said: string[];
const say = (message: string) => void said.push(message);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-data-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

describe('settings', () => {
  it('are the defaults at first, and what was set after a restart', async () => {
    const settings = await openSettings(folder, say);
    expect(settings.current()).toEqual(DEFAULT_SETTINGS);
    await settings.update((present) => ({ ...present, theme: 'dark' }));
    expect((await openSettings(folder, say)).current()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
    expect(said).toEqual([]);
  });

  it.each(['{ "theme":', '{"theme":"pink"}', '{"unknown":1}', '[]', ''])(
    'that can not be read (%j) are set aside, said, and never lost',
    async (text) => {
      await writeFile(join(folder, 'settings.json'), text);
      const settings = await openSettings(folder, say);
      expect(settings.current()).toEqual(DEFAULT_SETTINGS);
      expect(said).toHaveLength(1);
      const aside = (await readdir(folder)).filter((name) => name.startsWith('settings.json.broken-'));
      expect(aside).toHaveLength(1);
      expect(await readFile(join(folder, aside[0]!), 'utf8')).toBe(text);
    },
  );

  it('are written one after another, whole, and for the owner alone', async () => {
    const settings = await openSettings(folder, say);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        settings.update((present) => ({ ...present, stepLimit: present.stepLimit + 1 })),
      ),
    );
    expect(settings.current().stepLimit).toBe(DEFAULT_SETTINGS.stepLimit + 20);
    expect(await readdir(folder)).toEqual(['settings.json']);
    expect((await stat(join(folder, 'settings.json'))).mode & 0o777).toBe(0o600);
  });

  it('stay as they were when a change is not valid', async () => {
    const settings = await openSettings(folder, say);
    await expect(settings.update((present) => ({ ...present, stepLimit: -1 }))).rejects.toThrow();
    expect(settings.current()).toEqual(DEFAULT_SETTINGS);
  });
});

describe('keys', () => {
  const vault: Vault = {
    isReal: true,
    encrypt: async (text) => Buffer.from([...text].reverse().join('')),
    decrypt: async (bytes) => [...bytes.toString()].reverse().join(''),
  };

  it('are never on disk in clear, and are back after a restart', async () => {
    const secrets = await openSecrets(folder, vault, say);
    await secrets.set('p', 'here', 'sk-very-secret');
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('sk-very-secret');
    }
    const again = await openSecrets(folder, vault, say);
    expect(again.get('p', 'here')).toBe('sk-very-secret');
    await again.remove('p');
    expect((await openSecrets(folder, vault, say)).get('p', 'here')).toBeNull();
  });

  it('are kept for this run only where there is no real keyring', async () => {
    const secrets = await openSecrets(folder, { ...vault, isReal: false }, say);
    expect(secrets.arePersistent).toBe(false);
    await secrets.set('p', 'here', 'sk-very-secret');
    expect(secrets.get('p', 'here')).toBe('sk-very-secret');
    expect(await readdir(folder)).toEqual([]);
    expect((await openSecrets(folder, { ...vault, isReal: false }, say)).get('p', 'here')).toBeNull();
  });

  it('that can not be decrypted any more are as good as absent', async () => {
    await (await openSecrets(folder, vault, say)).set('p', 'here', 'k');
    const broken: Vault = { ...vault, decrypt: () => Promise.reject(new Error('other user')) };
    expect((await openSecrets(folder, broken, say)).get('p', 'here')).toBeNull();
  });
});

describe('the keyring', () => {
  const used: string[] = [];
  const old = (available: boolean, backend: string): SafeStorage =>
    ({
      isEncryptionAvailable: () => available,
      getSelectedStorageBackend: () => backend,
      encryptString: (text: string) => {
        used.push('encryptString');
        return Buffer.from(text);
      },
      decryptString: (bytes: Buffer) => bytes.toString(),
    }) as unknown as SafeStorage;

  it.each([
    ['linux', true, 'gnome_libsecret', true],
    ['linux', true, 'kwallet6', true],
    // A fixed password protects nothing, although Electron calls it encryption.
    ['linux', true, 'basic_text', false],
    ['linux', true, 'unknown', false],
    ['linux', false, 'gnome_libsecret', false],
    ['darwin', true, '', true],
    ['win32', false, '', false],
  ] as const)('on %s, available %s, backend %j: real %s', async (platform, available, backend, isReal) => {
    expect((await vaultOf(old(available, backend), platform)).isReal).toBe(isReal);
  });

  it('is asked through the asynchronous calls where they exist', async () => {
    const storage = {
      ...old(false, 'gnome_libsecret'),
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: async (text: string) => Buffer.from(`async ${text}`),
      decryptStringAsync: async (bytes: Buffer) => ({ result: bytes.toString(), shouldReEncrypt: false }),
    } as unknown as SafeStorage;
    const vault = await vaultOf(storage, 'linux');
    expect(vault.isReal).toBe(true);
    expect(await vault.decrypt(await vault.encrypt('k'))).toBe('async k');
    expect(used).toEqual([]);
  });
});

describe('a proxy', () => {
  it('is taken from the usual variables', () => {
    expect(proxyOf({})).toBeNull();
    expect(proxyOf({ HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example,.b.example' })).toEqual({
      proxyRules: 'https=http://p:1',
      proxyBypassRules: '<local>,a.example,.b.example',
    });
    expect(
      proxyOf({ http_proxy: 'http://p:1', HTTP_PROXY: 'http://q:1', https_proxy: 'http://p:2' }),
    ).toEqual({
      proxyRules: 'http=http://p:1;https=http://p:2',
      proxyBypassRules: '<local>',
    });
  });
});

describe('known histories', () => {
  it('are those that were remembered, also after a restart', async () => {
    const known = await openKnownStores(folder, say);
    expect(known.has('a')).toBe(false);
    await known.remember('a');
    await known.remember('a');
    const again = await openKnownStores(folder, say);
    expect(again.has('a')).toBe(true);
    expect(again.has('b')).toBe(false);
  });
});

describe('recent folders', () => {
  it('are named to the window by ids, newest first, each once', async () => {
    let now = 1000;
    const recent = await openRecentFolders(folder, { nowMs: () => now++ }, say);
    await recent.opened('/gone/a');
    await recent.opened(folder);
    await recent.opened('/gone/a');
    const list = await (await openRecentFolders(folder, { nowMs: () => 0 }, say)).list();
    expect(list.map(({ path, exists }) => ({ path, exists }))).toEqual([
      { path: '/gone/a', exists: false },
      { path: folder, exists: true },
    ]);
    expect(recent.pathOf(list[0]!.recentId)).toBe('/gone/a');
    expect(recent.pathOf('/etc')).toBeNull();
    await recent.forget(list[0]!.recentId);
    expect(recent.pathOf(list[0]!.recentId)).toBeNull();
  });
});

describe('links', () => {
  const opener = (answer: boolean) => {
    const opened: string[] = [];
    const asked: string[] = [];
    return {
      opened,
      asked,
      confirm: async (url: string) => {
        asked.push(url);
        return answer;
      },
      open: async (url: string) => void opened.push(url),
    };
  };

  it.each(['https://example.org/a?b=c', 'http://localhost:3000/', 'mailto:a@example.org'])(
    'opens %s',
    async (url) => {
      const system = opener(false);
      expect(await openLink(url, false, system)).toBe(true);
      expect(system).toMatchObject({ opened: [url], asked: [] });
    },
  );

  it('asks first when the link came from an agent, and shows what would be opened', async () => {
    const refusing = opener(false);
    expect(await openLink('https://example.org/?x=1', true, refusing)).toBe(false);
    expect(refusing).toMatchObject({ opened: [], asked: ['https://example.org/?x=1'] });
    const agreeing = opener(true);
    expect(await openLink('https://example.org', true, agreeing)).toBe(true);
    expect(agreeing.opened).toEqual(agreeing.asked);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'app://bundle/index.html',
    'smb://server/share',
    'ms-settings:',
    'vscode://file/x',
    '/etc/passwd',
    'C:\\x.exe',
    '',
    'https://',
  ])('refuses %j', async (url) => {
    const system = opener(true);
    await expect(openLink(url, false, system)).rejects.toThrow(AppError);
    expect(system).toMatchObject({ opened: [], asked: [] });
  });
});

describe('the log', () => {
  it('holds the code of an expected failure, and not its sentence, which may quote content', async () => {
    const path = join(folder, 'logs', 'app.log');
    const log = openLog(path, { nowMs: () => 0 });
    log.problem('session:send', new AppError('edit-no-match', 'The text "API_KEY=sk-1" is not in .env.'));
    log.event('start', 'two\nlines');
    expect(await readFile(path, 'utf8')).toBe(
      '1970-01-01T00:00:00.000Z session:send: edit-no-match\n1970-01-01T00:00:00.000Z start: two ⏎ lines\n',
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('does not grow without end', async () => {
    const log = openLog(join(folder, 'app.log'), { nowMs: () => 0 });
    for (let line = 0; line < 5000; line += 1) log.event('area', 'x'.repeat(1000));
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['app.log', 'app.log.1', 'app.log.2']);
    for (const name of names) {
      expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(1024 * 1024);
    }
  });
});
