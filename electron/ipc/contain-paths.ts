/** Holds every path of a request against the folder on disk, whatever the channel. */

import { parseRelPath } from '../../shared/rel-path.ts';
import type { OpenWorkspace } from './handlers.ts';

/** The members of a request that speak of a folder; the table uses these names for paths, and no others. */
interface FolderRequest {
  readonly workspaceId: unknown;
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly choices?: Readonly<Record<string, unknown>> | undefined;
}

export const speaksOfFolder = (input: object): input is FolderRequest => 'workspaceId' in input;

/** Throws the path's own AppError (`path-outside-workspace`, `path-reserved`, …) for the first that is not contained. */
export async function containPaths(input: FolderRequest, workspace: OpenWorkspace): Promise<void> {
  if (input.path !== undefined) await workspace.contain(input.path);
  for (const path of input.paths ?? []) await workspace.contain(path);
  // A choice is looked up among the items of a plan and leads to no file by itself; the item is contained when it is
  // applied. Its shape is still checked, but not the disk: a person may have put a symlink where the folder was.
  for (const path of Object.keys(input.choices ?? {})) parseRelPath(path);
}
