/** The one door of the checkpoint store. SPEC.md beside it says what it promises. */

export { forgetStore } from './forget.ts';
export { openStore } from './open-store.ts';
export { storePaths } from './store-folder.ts';
export type {
  BaselineRow,
  BlobBatch,
  CaptureRow,
  CheckpointStore,
  Durability,
  EntryRow,
  OpenEntry,
  OpenStore,
  OpenStoreOptions,
} from './types.ts';
