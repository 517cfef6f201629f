/** Finds a program by name on PATH, as a shell would. */

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The file, or null when no folder of PATH holds it. */
export async function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter);
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of folders.filter((one) => one !== '')) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      const isExecutable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isExecutable) return file;
    }
  }
  return null;
}
