/**
 * Which folder is open in which window. One session a folder, shared by the windows that show it: the folder has one
 * writer, and two windows on it see the same turn.
 */

import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { WorkspaceInfo, WorkspaceOpening } from '../../shared/app-state.ts';
import { AppError } from '../../shared/errors.ts';
import { asWorkspaceId, type RelPath } from '../../shared/ids.ts';
import type { AppEvent } from '../../shared/ipc.ts';
import { Mutex } from '../base/mutex.ts';
import type { OpenWorkspace } from '../ipc/index.ts';
import type { Session } from '../session/types.ts';
import type { KnownStores } from './known-stores.ts';

/** A history that lies in a folder, looked at without opening it for writing. */
export interface FoundHistory {
  /** null when it can't be read, so that nobody can know whose it is. */
  readonly storeId: string | null;
  readonly turns: number | null;
}

/** A folder that may be opened. */
export interface LocatedFolder {
  /** Real, absolute path. */
  readonly root: string;
  contain(path: string): Promise<RelPath>;
}

export interface WorkspacesOptions {
  /** Throws AppError `folder-not-found` or `folder-refused`. */
  readonly locate: (folder: string) => Promise<LocatedFolder>;
  readonly findHistory: (root: string) => Promise<FoundHistory | null>;
  /** Moves the history that lies in a folder out of the way; never deletes it. */
  readonly setHistoryAside: (root: string) => Promise<void>;
  readonly openSession: (root: string) => Promise<Session>;
  readonly knownStores: KnownStores;
  readonly onOpened: (root: string) => Promise<void>;
  readonly emit: (windowId: number, event: AppEvent) => void;
}

interface OpenFolder {
  readonly located: LocatedFolder;
  readonly session: Session;
  readonly windows: Set<number>;
}

interface OpenInWindow extends OpenWorkspace {
  readonly info: WorkspaceInfo;
  readonly folder: OpenFolder;
  readonly unsubscribe: () => void;
}

export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #folders = new Map<string, OpenFolder>();
  readonly #windows = new Map<number, OpenInWindow>();
  /** Folders whose history waits for the person's word, by the id of the question. */
  readonly #questions = new Map<string, { readonly windowId: number; readonly located: LocatedFolder }>();
  /** Opening and closing take turns: a folder that is being closed must be closed before it is opened again. */
  readonly #mutex = new Mutex();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  of(windowId: number): OpenWorkspace | null {
    return this.#windows.get(windowId) ?? null;
  }

  infoOf(windowId: number): WorkspaceInfo | null {
    return this.#windows.get(windowId)?.info ?? null;
  }

  open(windowId: number, folder: string): Promise<WorkspaceOpening> {
    return this.#mutex.run(async () => {
      const located = await this.#options.locate(folder);
      const { root } = located;
      if (this.#folders.has(root)) return this.#show(windowId, located);
      const found = await this.#options.findHistory(root);
      const isKnown =
        found === null || (found.storeId !== null && this.#options.knownStores.has(found.storeId));
      if (isKnown) return this.#show(windowId, located);
      const openingId = randomUUID();
      this.#questions.set(openingId, { windowId, located });
      return { kind: 'ask-trust', openingId, path: root, turns: found.turns };
    });
  }

  answerTrust(
    windowId: number,
    openingId: string,
    choice: 'use' | 'set-aside' | 'cancel',
  ): Promise<WorkspaceOpening> {
    return this.#mutex.run(async () => {
      const question = this.#questions.get(openingId);
      if (question === undefined || question.windowId !== windowId) {
        throw new AppError('ipc-bad-input', 'That question was answered already; open the folder again.');
      }
      this.#questions.delete(openingId);
      if (choice === 'cancel') return { kind: 'cancelled' };
      if (choice === 'set-aside') await this.#options.setHistoryAside(question.located.root);
      return this.#show(windowId, question.located);
    });
  }

  async forgetHistory(windowId: number): Promise<void> {
    const session = this.#windows.get(windowId)?.session;
    if (session === undefined) return;
    await session.forgetHistory();
    await this.#options.knownStores.remember(session.storeId);
  }

  /** Closes the window's folder; its session ends with the last window that shows it. */
  close(windowId: number): Promise<void> {
    for (const [id, question] of this.#questions) {
      if (question.windowId === windowId) this.#questions.delete(id);
    }
    return this.#mutex.run(() => this.#leave(windowId));
  }

  /** Resolves when every session has stopped and closed, or after the time limit: a hanging one must not keep the app. */
  async closeAll(limitMs: number): Promise<void> {
    const closed = this.#mutex.run(async () => {
      for (const windowId of [...this.#windows.keys()]) this.#detach(windowId);
      const sessions = [...this.#folders.values()].map(({ session }) => session);
      this.#folders.clear();
      await Promise.allSettled(sessions.map((session) => session.close()));
    });
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([closed, limit]);
    clearTimeout(timer);
  }

  async #show(windowId: number, located: LocatedFolder): Promise<WorkspaceOpening> {
    const { root } = located;
    const shown = this.#windows.get(windowId);
    if (shown?.folder.located.root === root) return { kind: 'opened', workspace: shown.info };
    const folder = this.#folders.get(root) ?? (await this.#openFolder(located));
    const { session } = folder;
    const contain = (path: string): Promise<RelPath> => folder.located.contain(path);
    const workspaceId = asWorkspaceId(randomUUID());
    const info: WorkspaceInfo = { workspaceId, name: basename(root) || root, path: root };
    // The new folder is there: only now the old one goes, so that a failure leaves the window as it was.
    folder.windows.add(windowId);
    await this.#leave(windowId);
    const unsubscribe = session.subscribe((event) =>
      this.#options.emit(windowId, { type: 'session', workspaceId, event }),
    );
    this.#windows.set(windowId, { workspaceId, session, contain, info, folder, unsubscribe });
    await this.#options.onOpened(root);
    return { kind: 'opened', workspace: info };
  }

  async #openFolder(located: LocatedFolder): Promise<OpenFolder> {
    const session = await this.#options.openSession(located.root);
    await this.#options.knownStores.remember(session.storeId);
    const folder = { located, session, windows: new Set<number>() };
    this.#folders.set(located.root, folder);
    return folder;
  }

  async #leave(windowId: number): Promise<void> {
    const folder = this.#detach(windowId);
    if (folder === null || folder.windows.size > 0) return;
    this.#folders.delete(folder.located.root);
    await folder.session.close();
  }

  #detach(windowId: number): OpenFolder | null {
    const open = this.#windows.get(windowId);
    if (open === undefined) return null;
    open.unsubscribe();
    this.#windows.delete(windowId);
    open.folder.windows.delete(windowId);
    return open.folder;
  }
}
