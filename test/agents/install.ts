/** Puts a real agent into the user's cache folder, outside of the repository, once for each version. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheEntry } from '../../scripts/cache-folder.mjs';
import { lastLines, npmCommand, runQuietly } from '../../scripts/run-program.mjs';
import type { RealAgent } from './real-agents.ts';

/** The program to start, with its arguments. */
export async function installed(agent: RealAgent): Promise<string[]> {
  const specifier = `${agent.package}@${agent.version}`;
  const folder = await cacheEntry(`agent-${agent.name}-${agent.version}`, async (draft) => {
    process.stderr.write(`Installing ${specifier} …\n`);
    await writeFile(join(draft, 'package.json'), '{"private":true}\n');
    // An agent's own script may be what puts its program into place; this repository's settings switch scripts off.
    const options = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--save-exact'];
    const [program, words] = npmCommand(['install', ...options, specifier]);
    const { code, output } = await runQuietly(program, words, { cwd: draft });
    if (code !== 0) throw new Error(`npm could not install ${specifier}:\n${lastLines(output)}`);
  });
  const [program, ...words] = agent.command;
  return [join(folder, 'node_modules', '.bin', program), ...words];
}
