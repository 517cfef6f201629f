/** The histories that this installation made or was told to use: any other was brought by someone else. */

import { join } from 'node:path';
import { z } from 'zod';
import { openDataFile } from './data-file.ts';

const schema = z.array(z.string().min(1).max(200));

export interface KnownStores {
  has(storeId: string): boolean;
  remember(storeId: string): Promise<void>;
}

export async function openKnownStores(
  dataFolder: string,
  onSetAside: (message: string) => void,
): Promise<KnownStores> {
  const file = await openDataFile({
    path: join(dataFolder, 'known-stores.json'),
    schema,
    whenNew: [],
    onSetAside,
  });
  return {
    has: (storeId) => file.current().includes(storeId),
    remember: async (storeId) => {
      if (file.current().includes(storeId)) return;
      await file.update((present) => [...present, storeId]);
    },
  };
}
