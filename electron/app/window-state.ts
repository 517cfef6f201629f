/** Remembers how large the person made the window. */

import { join } from 'node:path';
import { z } from 'zod';
import { type DataFile, openDataFile } from './data-file.ts';

const schema = z.strictObject({
  width: z.number().int().min(400).max(10_000),
  height: z.number().int().min(300).max(10_000),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof schema>;

export function openWindowState(
  dataFolder: string,
  onSetAside: (message: string) => void,
): Promise<DataFile<WindowState>> {
  return openDataFile({
    path: join(dataFolder, 'window.json'),
    schema,
    whenNew: { width: 1280, height: 840, maximized: false },
    onSetAside,
  });
}
