/** What the page of a real window may not do, read back from the window itself. */

import { expect } from '@playwright/test';
import { test } from './open-window.ts';

test('the window is sandboxed, isolated and has no way out of the bundle', async ({ open, newFolder }) => {
  const { app, page } = await open({ userDataDir: await newFolder() });
  await expect(page.getByRole('button', { name: 'Open folder…' })).toBeVisible();

  await test.step('its effective preferences are the safe ones', async () => {
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({ contextIsolation: true, sandbox: true });
    for (const name of [
      'nodeIntegration',
      'nodeIntegrationInWorker',
      'nodeIntegrationInSubFrames',
      'webviewTag',
      'allowRunningInsecureContent',
      'navigateOnDragDrop',
    ]) {
      expect(preferences[name] ?? false, name).toBe(false);
    }
    expect(preferences.webSecurity ?? true).toBe(true);
  });

  await test.step('it sees the bridge and nothing of Node', async () => {
    expect(
      await page.evaluate(() => ({
        url: location.href,
        isSecure: isSecureContext,
        bridge: Object.keys((window as unknown as { rewind: object }).rewind).sort(),
        node: ['require', 'process', 'module', 'Buffer', 'electron', '__dirname'].filter(
          (name) => name in window,
        ),
      })),
    ).toEqual({ url: 'app://bundle/index.html', isSecure: true, bridge: ['invoke', 'onEvent'], node: [] });
  });

  await test.step('the bridge refuses what is not in the table, and says so', async () => {
    const answers = await page.evaluate(async () => {
      const { invoke } = (window as unknown as { rewind: { invoke(...call: unknown[]): Promise<string> } })
        .rewind;
      const texts = [
        await invoke('shell:run', {}),
        await invoke('session:snapshot', { workspaceId: 'made-up' }),
        await invoke('app:state', { root: '/' }),
      ];
      return texts.map((text) => JSON.parse(text) as unknown);
    });
    expect(answers).toEqual(
      answers.map(() => ({ ok: false, error: expect.objectContaining({ code: 'ipc-bad-input' }) })),
    );
  });

  await test.step('the content security policy stops scripts, frames and requests', async () => {
    const result = await page.evaluate(async () => {
      const marks = window as unknown as Record<string, unknown>;
      const inline = document.createElement('script');
      inline.textContent = 'window.inlineRan = true';
      document.body.append(inline);
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.attributeRan = true');
      document.body.append(button);
      button.click();
      const frame = document.createElement('iframe');
      frame.src = 'app://bundle/index.html';
      const framed = new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => {
          if (event.effectiveDirective === 'frame-src') resolve('blocked');
        });
      });
      document.body.append(frame);
      const outcome = {
        frame: await framed,
        inline: marks.inlineRan,
        attribute: marks.attributeRan,
        evaluated: (() => {
          try {
            return Function('return 1')();
          } catch {
            return 'blocked';
          }
        })(),
        fetched: await fetch('https://example.org/').catch(() => 'blocked'),
        local: await fetch('file:///etc/passwd').catch(() => 'blocked'),
        outside: await Promise.all(
          ['app://bundle/..%2f..%2fpackage.json', 'app://bundle/%2e%2e/electron/main.mjs'].map(
            async (address) => (await fetch(address)).ok,
          ),
        ),
      };
      inline.remove();
      button.remove();
      frame.remove();
      return outcome;
    });
    expect(result).toEqual({
      frame: 'blocked',
      inline: undefined,
      attribute: undefined,
      evaluated: 'blocked',
      fetched: 'blocked',
      local: 'blocked',
      outside: [false, false],
    });
  });

  await test.step('it can not leave, open windows, ask for devices or download', async () => {
    await app.evaluate(({ session }) => {
      session.defaultSession.on('will-download', (event) => {
        (globalThis as { downloadRefused?: boolean }).downloadRefused = event.defaultPrevented;
      });
    });
    const result = await page.evaluate(async () => {
      for (const address of ['https://example.org/', 'file:///etc/passwd', 'app://other/index.html']) {
        const link = document.createElement('a');
        link.href = address;
        document.body.append(link);
        link.click();
        link.remove();
      }
      const download = document.createElement('a');
      download.href = 'data:text/plain,x';
      download.download = 'x.txt';
      download.click();
      return {
        opened: window.open('app://bundle/index.html'),
        notifications: await Notification.requestPermission(),
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
          () => 'allowed',
          () => 'refused',
        ),
        position: await new Promise((resolve) => {
          navigator.geolocation.getCurrentPosition(
            () => resolve('allowed'),
            ({ code }) => resolve(code === 1 ? 'refused' : `failed ${code}`),
          );
        }),
        checks: await Promise.all(
          (['geolocation', 'notifications', 'persistent-storage'] as const).map(
            async (name) => (await navigator.permissions.query({ name })).state,
          ),
        ),
        webview: document.createElement('webview').constructor.name,
      };
    });
    expect(result).toEqual({
      opened: null,
      notifications: 'denied',
      camera: 'refused',
      position: 'refused',
      checks: ['denied', 'denied', 'denied'],
      webview: 'HTMLElement',
    });
    await expect
      .poll(() => app.evaluate(() => (globalThis as { downloadRefused?: boolean }).downloadRefused))
      .toBe(true);
    // Asked of the app: Playwright itself waits for the refused navigation to end.
    const windows = await app.evaluate(({ BrowserWindow }) =>
      Promise.all(
        BrowserWindow.getAllWindows().map(async ({ webContents }) => ({
          url: webContents.getURL(),
          stillDrawn: await webContents.executeJavaScript(`document.body.innerText.includes('Open folder')`),
        })),
      ),
    );
    expect(windows).toEqual([{ url: 'app://bundle/index.html', stillDrawn: true }]);
  });
});
