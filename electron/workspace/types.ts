/** The public face of the workspace room: the folder, its containment, its write funnel, its scanner and its commands. */

import type { FileState } from '../../shared/file-state.ts';
import type { NotCovered } from '../../shared/history.ts';
import type { RelPath } from '../../shared/ids.ts';
import type { FileSystem } from '../base/file-system.ts';
import type { CaptureSink } from './capture-sink.ts';

/** A folder that was opened: its root resolved once. Everything else is relative to it. */
export interface Workspace {
  /** Real, absolute path. */
  readonly root: string;
  readonly fs: FileSystem;
  /** Parses and contains untrusted path text: walks from the root with lstat, refuses symlinks in the parent chain, `.git` and `.osfoundry` by identity. */
  contain(text: string): Promise<RelPath>;
  /** The present state of a contained path. Files over `maxFileBytes` come as skipped; null hashes any size. */
  stateOf(path: RelPath, maxFileBytes: number | null): Promise<FileState>;
  /** The bytes of a contained regular file. */
  read(path: RelPath): Promise<Uint8Array>;
}

export interface WriteOptions {
  /** Refuse with `path-changed` unless the path is in this state right before the change. */
  readonly expect?: FileState;
  /** Permission bits of the result; default: keep the present ones, or 0o666 less the umask for a new file. */
  readonly mode?: number;
  /** Of a file with several names this one gets a file of its own; default: it is written in place, for all of them. */
  readonly separate?: boolean;
}

/** The one place that changes files of the folder. One instance a folder; calls are serialised by the folder's mutex. */
export interface WriteFunnel {
  /** Creates or replaces a regular file; makes missing parents (each captured). A symlink at the path is replaced, not followed. */
  writeFile(sink: CaptureSink, path: string, content: Uint8Array, options?: WriteOptions): Promise<FileState>;
  /** Replaces exact text; keeps line endings, BOM and everything else. Throws `edit-no-match`, `edit-not-unique`, `not-text`. */
  editFile(
    sink: CaptureSink,
    path: string,
    edit: { old: string; new: string; all?: boolean },
  ): Promise<FileState>;
  /** Deletes a file, symlink or, with recursive, a directory (each path below captured first). */
  deletePath(
    sink: CaptureSink,
    path: string,
    options?: { recursive?: boolean; expect?: FileState },
  ): Promise<void>;
  /** Renames within the folder; a file at the destination is replaced (captured); directories move with everything below. */
  movePath(sink: CaptureSink, from: string, to: string): Promise<void>;
  createDirectory(
    sink: CaptureSink,
    path: string,
    options?: { mode?: number; expect?: FileState },
  ): Promise<void>;
  setMode(sink: CaptureSink, path: string, mode: number, options?: { expect?: FileState }): Promise<void>;
  setExecutable(sink: CaptureSink, path: string, executable: boolean): Promise<void>;
  createSymlink(
    sink: CaptureSink,
    path: string,
    target: string,
    options?: { expect?: FileState },
  ): Promise<void>;
}

export interface ScanChange {
  readonly path: RelPath;
  /** Before: from the baseline (absent when unknown). */
  readonly before: FileState;
  readonly after: FileState;
}

export interface ScanResult {
  /** Collected for `found` alone: a first scan has as many as there are files. */
  readonly changes: readonly ScanChange[];
  readonly notCovered: readonly NotCovered[];
  /** How many paths are covered. */
  readonly paths: number;
}

export interface CommandResult {
  /** null when the process was ended by a signal. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stopped: boolean;
  /** Standard output and error in the order they came, capped. */
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}
