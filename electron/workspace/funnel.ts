/** The one place that changes files of the folder (I6), one call at a time; each call captures before it touches (I2). */

import { Mutex } from '../base/mutex.ts';
import type { FunnelContext } from './funnel/change.ts';
import { createSymlink } from './funnel/create-symlink.ts';
import { deletePath } from './funnel/delete-path.ts';
import { createDirectory } from './funnel/directories.ts';
import { editFile } from './funnel/edit-file.ts';
import { movePath } from './funnel/move-path.ts';
import { setExecutable, setMode } from './funnel/set-mode.ts';
import { writeFile } from './funnel/write-file.ts';
import type { Workspace, WriteFunnel } from './types.ts';

export interface FunnelOptions {
  /** The folder's, when others must not run beside a change. */
  readonly mutex?: Mutex;
  /** Sync what is written (default), so that a power loss is covered too. */
  readonly durable?: boolean;
}

export function createFunnel({ root, fs }: Workspace, options: FunnelOptions = {}): WriteFunnel {
  const mutex = options.mutex ?? new Mutex();
  const context: FunnelContext = { root, fs, durable: options.durable ?? true };
  const alone =
    <Arguments extends unknown[], Value>(
      operation: (context: FunnelContext, ...rest: Arguments) => Promise<Value>,
    ) =>
    (...rest: Arguments): Promise<Value> =>
      mutex.run(() => operation(context, ...rest));
  return {
    writeFile: alone(writeFile),
    editFile: alone(editFile),
    deletePath: alone(deletePath),
    movePath: alone(movePath),
    createDirectory: alone(createDirectory),
    setMode: alone(setMode),
    setExecutable: alone(setExecutable),
    createSymlink: alone(createSymlink),
  };
}
