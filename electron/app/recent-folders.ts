/** The folders that were opened last, newest first. The window names them by id, so that it never passes a path. */

import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { RecentFolder } from '../../shared/app-state.ts';
import type { Clock } from '../base/clock.ts';
import { sha256Of } from '../base/hash.ts';
import { openDataFile } from './data-file.ts';

const MAX_RECENT = 20;
const schema = z.array(z.strictObject({ path: z.string(), openedAtMs: z.number() }));

export interface RecentFolders {
  list(): Promise<RecentFolder[]>;
  /** The path of an id, or null. */
  pathOf(recentId: string): string | null;
  opened(path: string): Promise<void>;
  forget(recentId: string): Promise<void>;
}

export async function openRecentFolders(
  dataFolder: string,
  clock: Clock,
  onSetAside: (message: string) => void,
): Promise<RecentFolders> {
  const file = await openDataFile({
    path: join(dataFolder, 'recent-folders.json'),
    schema,
    whenNew: [],
    onSetAside,
  });
  return {
    list: () =>
      Promise.all(
        file.current().map(async ({ path, openedAtMs }) => ({
          recentId: idOf(path),
          name: basename(path),
          path,
          openedAtMs,
          exists: await isFolder(path),
        })),
      ),
    pathOf: (recentId) => file.current().find(({ path }) => idOf(path) === recentId)?.path ?? null,
    opened: async (path) => {
      await file.update((present) =>
        [{ path, openedAtMs: clock.nowMs() }, ...present.filter((other) => other.path !== path)].slice(
          0,
          MAX_RECENT,
        ),
      );
    },
    forget: async (recentId) => {
      await file.update((present) => present.filter(({ path }) => idOf(path) !== recentId));
    },
  };
}

const idOf = (path: string): string => sha256Of(path).slice(0, 16);

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
