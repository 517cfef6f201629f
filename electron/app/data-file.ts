/** One small JSON file of the app's own data: checked by a schema, replaced atomically, set aside when it is broken. */

import { mkdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { z } from 'zod';
import { replaceFile } from '../base/durable-files.ts';
import { nodeFileSystem } from '../base/file-system.ts';
import { isSystemError } from '../base/io-errors.ts';
import { Mutex } from '../base/mutex.ts';

export interface DataFile<T extends object> {
  /** What the file holds now; never half written. */
  current(): T;
  /** Changes are made one after another; resolves once the new content is on disk. */
  update(change: (present: T) => T): Promise<T>;
}

export interface DataFileOptions<T extends object> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly whenNew: T;
  /** Told in one sentence when a broken file was set aside. */
  readonly onSetAside: (message: string) => void;
}

export async function openDataFile<T extends object>(options: DataFileOptions<T>): Promise<DataFile<T>> {
  const mutex = new Mutex();
  let value: T = await load(options);
  return {
    current: () => value,
    update: (change) =>
      mutex.run(async () => {
        const next = options.schema.parse(change(value));
        await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
        await replaceFile(nodeFileSystem, options.path, `${JSON.stringify(next, null, 2)}\n`, 0o600);
        value = next;
        return next;
      }),
  };
}

async function load<T extends object>({ path, schema, whenNew, onSetAside }: DataFileOptions<T>): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return whenNew;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const aside = `${path}.broken-${Date.now()}`;
    await rename(path, aside);
    onSetAside(
      `${basename(path)} could not be read, so the defaults are used; the old file is now ${aside}.`,
    );
    return whenNew;
  }
}
