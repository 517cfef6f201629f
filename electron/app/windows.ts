/** The windows of the app: makes them, knows them, and tells them things. */

import { isDeepStrictEqual } from 'node:util';
import { BrowserWindow, nativeTheme } from 'electron';
import type { AppEvent } from '../../shared/ipc.ts';
import { IPC_EVENT_CHANNEL } from '../../shared/ipc-channels.ts';
import type { DataFile } from './data-file.ts';
import { START_PAGE } from './protocol.ts';
import { WEB_PREFERENCES } from './security-policy.ts';
import type { WindowState } from './window-state.ts';

/** Shown until the page is drawn, so that a dark window doesn't flash white. */
const BACKGROUND = { light: '#fbfaf9', dark: '#161618' };

export interface WindowsOptions {
  readonly preload: string;
  readonly state: DataFile<WindowState>;
  /** Instead of the remembered size. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly onClosed: (windowId: number) => void;
}

export class Windows {
  readonly #options: WindowsOptions;
  readonly #windows = new Map<number, BrowserWindow>();
  readonly #listening = new Set<number>();
  readonly #waiting = new Map<number, AppEvent[]>();

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** Makes a window and begins to load the page. */
  create(): BrowserWindow {
    const { preload, state, size, onClosed } = this.#options;
    const remembered = state.current();
    const window = new BrowserWindow({
      width: size?.width ?? remembered.width,
      height: size?.height ?? remembered.height,
      minWidth: 720,
      minHeight: 480,
      show: false,
      useContentSize: size !== null,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: { ...WEB_PREFERENCES, preload },
    });
    const windowId = window.webContents.id;
    this.#windows.set(windowId, window);
    window.once('ready-to-show', () => {
      if (size === null && remembered.maximized) window.maximize();
      window.show();
    });
    window.on('close', () => void this.rememberSize(window));
    window.on('closed', () => {
      this.#windows.delete(windowId);
      this.#listening.delete(windowId);
      this.#waiting.delete(windowId);
      onClosed(windowId);
    });
    // A page that cannot be loaded shows as an empty window; the log says why.
    void window.loadURL(START_PAGE).catch(() => undefined);
    return window;
  }

  has(windowId: number): boolean {
    return this.#windows.has(windowId);
  }

  get(windowId: number): BrowserWindow | null {
    return this.#windows.get(windowId) ?? null;
  }

  ids(): number[] {
    return [...this.#windows.keys()];
  }

  send(windowId: number, event: AppEvent): void {
    const window = this.#windows.get(windowId);
    if (window !== undefined && !window.isDestroyed()) window.webContents.send(IPC_EVENT_CHANNEL, event);
  }

  /** For what must not be lost: kept until the window's page has asked for its state. */
  sendOnceListening(windowId: number, event: AppEvent): void {
    if (this.#listening.has(windowId)) this.send(windowId, event);
    else this.#waiting.set(windowId, [...(this.#waiting.get(windowId) ?? []), event]);
  }

  listening(windowId: number): void {
    this.#listening.add(windowId);
    const waiting = this.#waiting.get(windowId) ?? [];
    this.#waiting.delete(windowId);
    // After the answer to the call that told us.
    setImmediate(() => {
      for (const event of waiting) this.send(windowId, event);
    });
  }

  sendToFront(event: AppEvent): void {
    const window = this.#front();
    if (window !== null) this.send(window.webContents.id, event);
  }

  showFront(): void {
    const window = this.#front();
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  }

  #front(): BrowserWindow | null {
    return BrowserWindow.getFocusedWindow() ?? [...this.#windows.values()].at(-1) ?? null;
  }

  /** Awaited at quit, since closing a window doesn't wait for it. */
  async rememberSize(window = this.#front()): Promise<void> {
    const { state, size } = this.#options;
    if (window === null || size !== null) return;
    const { width, height } = window.getNormalBounds();
    const present: WindowState = { width, height, maximized: window.isMaximized() };
    if (!isDeepStrictEqual(present, state.current())) await state.update(() => present);
  }
}
