/** What the threads of a scan tell each other. */

import type { FileState } from '../../../shared/file-state.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import type { Looked } from './look.ts';
import type { Stamp } from './stat-table.ts';

export type WorkerData =
  | { readonly role: 'scan'; readonly options: FolderScanOptions }
  | { readonly role: 'partner'; readonly options: FolderScanOptions };

export interface KnownRow {
  readonly path: string;
  readonly stamp: Stamp;
  readonly state: FileState;
}

/** To the scanning thread. */
export type ScanRequest =
  | { readonly type: 'load'; readonly rows: readonly KnownRow[] }
  | { readonly type: 'scan' }
  | { readonly type: 'stop' };

export interface NotCoveredPath {
  readonly path: string;
  readonly reason: string;
}

/** From the scanning thread. `scanned` ends a scan that was not stopped. */
export type ScanReply =
  | { readonly type: 'found'; readonly looked: readonly Looked[] }
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'scanned'; readonly notCovered: readonly NotCoveredPath[]; readonly paths: number }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly error: { readonly message: string; readonly code: string | null } };

/** To the partner; `changed` are numbers of paths that are not as it knows them. */
export type PartnerRequest =
  | {
      readonly type: 'differing';
      readonly changed: readonly (readonly [index: number, path: string | null])[];
      readonly table: SharedArrayBuffer;
      readonly from: number;
      readonly to: number;
    }
  | { readonly type: 'look'; readonly paths: readonly string[] };

/** From the partner. */
export type PartnerReply =
  | { readonly type: 'differing'; readonly indices: readonly number[] }
  | { readonly type: 'looked'; readonly looked: readonly Looked[] }
  | { readonly type: 'failed'; readonly error: { readonly message: string; readonly code: string | null } };
