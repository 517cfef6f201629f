/** A random call of one of the agent's own tools. */

import type { OpenEntry } from '../../electron/store/types.ts';
import type { WriteFunnel } from '../../electron/workspace/index.ts';
import { AppError } from '../../shared/errors.ts';
import { MODES, PATHS, type Scene } from './scene.ts';

export async function callTool(scene: Scene, funnel: WriteFunnel, entry: OpenEntry): Promise<void> {
  const { random, log } = scene;
  const path = random.pick(PATHS);
  const other = random.pick(PATHS);
  const tool = random.weighted({
    write: 40,
    delete: 15,
    move: 15,
    directory: 8,
    executable: 7,
    mode: 5,
    symlink: 10,
  });
  log.push(`  ${tool} ${path}${tool === 'move' ? ` to ${other}` : ''}`);
  await refusable(log, () => {
    switch (tool) {
      case 'write':
        return funnel.writeFile(entry, path, Buffer.from(scene.newText()));
      case 'delete':
        return funnel.deletePath(entry, path, { recursive: true });
      case 'move':
        return funnel.movePath(entry, path, other);
      case 'directory':
        return funnel.createDirectory(entry, path);
      case 'executable':
        return funnel.setExecutable(entry, path, random.next() < 0.5);
      case 'mode':
        return funnel.setMode(entry, path, random.pick(MODES) | 0o100);
      case 'symlink':
        return funnel.createSymlink(entry, path, scene.newTarget(random.pick(['a', 'nowhere', '..'])));
    }
  });
}

/** A refusal is an answer, too: the random calls often make no sense. Anything else is a bug. */
async function refusable(log: string[], call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('path-')) throw error;
    log.push(`    refused: ${error.code}`);
  }
}
