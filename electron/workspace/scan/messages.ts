/** What the main thread and the threads of a scan tell each other. Each folder has a number; the threads serve all folders. */

import type { ErrorInfo } from '../../../shared/errors.ts';
import type { FileState } from '../../../shared/file-state.ts';
import type { NotCovered } from '../../../shared/history.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import type { ChangedPath } from './known-paths.ts';
import type { Found, Looked } from './look.ts';
import type { Stamp } from './stat-table.ts';

export interface KnownRow {
  readonly path: string;
  readonly stamp: Stamp;
  readonly state: FileState;
}

interface OpenRequest {
  readonly type: 'open';
  readonly folder: number;
  readonly options: FolderScanOptions;
}

interface CloseRequest {
  readonly type: 'close';
  readonly folder: number;
}

/** To the scanning thread. */
export type ScanRequest =
  | OpenRequest
  | { readonly type: 'load'; readonly folder: number; readonly rows: readonly KnownRow[] }
  | {
      readonly type: 'scan';
      readonly folder: number;
      readonly tellLarge: boolean;
      /** Leaves half of the time to others. */
      readonly gently: boolean;
    }
  | { readonly type: 'hurry'; readonly folder: number }
  | { readonly type: 'stop'; readonly folder: number }
  | CloseRequest;

/** From the scanning thread. `scanned` or `failed` ends a scan. */
export type ScanReply =
  | { readonly type: 'found'; readonly folder: number; readonly found: readonly Found[] }
  | { readonly type: 'progress'; readonly folder: number; readonly done: number; readonly total: number }
  | {
      readonly type: 'scanned';
      readonly folder: number;
      readonly notCovered: readonly NotCovered[];
      readonly paths: number;
    }
  | { readonly type: 'failed'; readonly folder: number; readonly error: ErrorInfo };

/** To the partner. */
export type PartnerRequest =
  | OpenRequest
  | {
      readonly type: 'compare';
      readonly request: number;
      readonly folder: number;
      /** Paths that are not as the partner knows them. */
      readonly changed: readonly ChangedPath[];
      readonly table: SharedArrayBuffer;
      readonly end: number;
      readonly next: Int32Array<SharedArrayBuffer>;
    }
  | {
      readonly type: 'look';
      readonly request: number;
      readonly folder: number;
      readonly paths: readonly string[];
      readonly tellLarge: boolean;
    }
  | CloseRequest;

/** From the partner. */
export type PartnerReply =
  | { readonly type: 'compared'; readonly request: number; readonly indices: readonly number[] }
  | { readonly type: 'looked'; readonly request: number; readonly looked: readonly Looked[] }
  | { readonly type: 'failed'; readonly request: number; readonly error: ErrorInfo };
