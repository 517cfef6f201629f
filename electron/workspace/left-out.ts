/** Folders that the baseline leaves out: what a package manager or a cache makes again. The person changes the list in the settings. */

import type { Settings } from '../../shared/settings.ts';

export const LEFT_OUT_FOLDERS: readonly string[] = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnpm-store',
  '.yarn',
  '.venv',
  'venv',
  'site-packages',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.m2',
  '.terraform',
  'target',
  'Pods',
  'DerivedData',
  '.cache',
  '.parcel-cache',
  '.turbo',
  '.nx',
];

/** What is left out of one folder. */
export interface LeftOut {
  /** Directories of these names, at any depth. */
  readonly names: readonly string[];
  /** Further paths of this folder. */
  readonly paths: readonly string[];
  /** Paths that are covered although their name is on the list. */
  readonly included: readonly string[];
}

export function leftOutOf(
  settings: Pick<Settings, 'leftOutFolders' | 'folderOverrides'>,
  root: string,
): LeftOut {
  const own = settings.folderOverrides[root];
  return {
    names: settings.leftOutFolders ?? LEFT_OUT_FOLDERS,
    paths: own?.leaveOut ?? [],
    included: own?.include ?? [],
  };
}

/** Whether the directory at the path is left out. */
export function isLeftOut(path: string, { names, paths, included }: LeftOut): boolean {
  if (included.includes(path)) return false;
  return paths.includes(path) || names.includes(path.slice(path.lastIndexOf('/') + 1));
}
