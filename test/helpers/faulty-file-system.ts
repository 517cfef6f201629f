/** A FileSystem that announces every call, of its handles too, before it is made: tests let it fail there, or die there. */

import type { FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../electron/base/file-system.ts';

export interface FileSystemCall {
  /** `rename`, `open`, ... or, of an open file, `handle.write`, `handle.sync`, ... */
  readonly name: string;
  /** The path that the call changes or reads; for a handle, the one it was opened with. */
  readonly path: string;
  /** Where a rename or link goes to. */
  readonly to?: string;
}

/** The calls that change what is on the disk; so does an `open` that makes a file. */
export const CHANGING = new Set([
  'mkdir',
  'rmdir',
  'unlink',
  'rename',
  'link',
  'symlink',
  'chmod',
  'handle.write',
  'handle.writeFile',
  'handle.truncate',
  'handle.chmod',
]);

/** What it throws fails the call, which is then not made. (A close is made all the same: the system frees the handle.) */
export type OnCall = (call: FileSystemCall) => void;

const HANDLE_CALLS = [
  'read',
  'readFile',
  'write',
  'writeFile',
  'sync',
  'datasync',
  'stat',
  'chmod',
  'chown',
  'truncate',
  'close',
];

export function faultyFileSystem(base: FileSystem, onCall: OnCall): FileSystem {
  const announced =
    <Arguments extends [string, ...unknown[]], Value>(
      name: string,
      call: (...rest: Arguments) => Promise<Value>,
    ) =>
    async (...rest: Arguments): Promise<Value> => {
      const [first, second] = rest;
      if (typeof second !== 'string' || name === 'open') onCall({ name, path: first });
      // A link's target is text, and not a path that is touched.
      else if (name === 'symlink') onCall({ name, path: second });
      else onCall({ name, path: first, to: second });
      return call(...rest);
    };
  return {
    open: announced('open', async (path: string, flags: string | number, mode?: number) =>
      announcedHandle(await base.open(path, flags, mode), path, onCall),
    ),
    lstat: announced('lstat', base.lstat),
    readlink: announced('readlink', base.readlink),
    readdir: announced('readdir', base.readdir),
    realpath: announced('realpath', base.realpath),
    mkdir: announced('mkdir', base.mkdir),
    rmdir: announced('rmdir', base.rmdir),
    unlink: announced('unlink', base.unlink),
    rename: announced('rename', base.rename),
    link: announced('link', base.link),
    symlink: announced('symlink', base.symlink),
    chmod: announced('chmod', base.chmod),
    syncFileSystem: announced('syncFileSystem', base.syncFileSystem),
  };
}

function announcedHandle(handle: FileHandle, path: string, onCall: OnCall): FileHandle {
  return new Proxy(handle, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...rest: unknown[]) => unknown;
      if (typeof key !== 'string' || !HANDLE_CALLS.includes(key)) return method;
      return async (...rest: unknown[]): Promise<unknown> => {
        // A second close does nothing.
        if (key === 'close' && target.fd === -1) return undefined;
        if (key === 'close') await method();
        onCall({ name: `handle.${key}`, path });
        return key === 'close' ? undefined : method(...rest);
      };
    },
  });
}

/** The error that Node makes of a failed system call. */
export function systemError(code: string, { name, path }: FileSystemCall): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: planted failure, ${name} '${path}'`), {
    code,
    syscall: name,
    path,
  });
}

/** Counts calls and fails the one with the given number (from 0), or, when it lasts, that one and all after it. */
export class PlantedFault {
  /** All calls so far. */
  readonly calls: FileSystemCall[] = [];
  readonly #at: number;
  readonly #code: string;
  readonly #lasts: boolean;

  constructor(at: number, code: string, lasts = false) {
    this.#at = at;
    this.#code = code;
    this.#lasts = lasts;
  }

  get struck(): boolean {
    return this.calls.length > this.#at;
  }

  readonly onCall: OnCall = (call) => {
    const index = this.calls.push(call) - 1;
    if (index === this.#at || (this.#lasts && index > this.#at)) throw systemError(this.#code, call);
  };
}
