/** The settings of this installation, and those for one run that the command line gives. */

import { join } from 'node:path';
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from '../../shared/settings.ts';
import { type DataFile, openDataFile } from './data-file.ts';

export function openSettings(
  dataFolder: string,
  onSetAside: (message: string) => void,
): Promise<DataFile<Settings>> {
  return openDataFile({
    path: join(dataFolder, 'settings.json'),
    schema: settingsSchema,
    whenNew: DEFAULT_SETTINGS,
    onSetAside,
  });
}
