/** Chooses the folders to leave out where a folder holds more than the baseline may: large ones, and as few as will do. Pure. */

export interface Budget {
  readonly files: number;
  readonly bytes: number;
}

interface Folder {
  files: number;
  bytes: number;
  readonly children: Map<string, Folder>;
}

/** The paths of the folders to leave out; empty when everything fits, or when what is too much lies beside the folders. */
export function foldersOverBudget(
  files: Iterable<{ path: string; bytes: number }>,
  budget: Budget,
): string[] {
  const whole = treeOf(files);
  const leftOut: string[] = [];
  while (whole.files > budget.files || whole.bytes > budget.bytes) {
    const way = largest(whole, { files: whole.files - budget.files, bytes: whole.bytes - budget.bytes });
    if (way.length === 0) return leftOut;
    leftOut.push(way.join('/'));
    remove(whole, way);
  }
  return leftOut;
}

function treeOf(files: Iterable<{ path: string; bytes: number }>): Folder {
  const whole: Folder = { files: 0, bytes: 0, children: new Map() };
  for (const { path, bytes } of files) {
    let folder = whole;
    const names = path.split('/').slice(0, -1);
    for (const name of ['', ...names]) {
      if (name !== '') {
        const child = folder.children.get(name) ?? { files: 0, bytes: 0, children: new Map() };
        folder.children.set(name, child);
        folder = child;
      }
      folder.files += 1;
      folder.bytes += bytes;
    }
  }
  return whole;
}

/** Goes down as long as one folder alone takes away enough: `src` stays when `src/fixtures` is what is too large. */
function largest(whole: Folder, excess: Budget): string[] {
  const share = ({ files, bytes }: Folder): number =>
    Math.max(excess.files > 0 ? files / excess.files : 0, excess.bytes > 0 ? bytes / excess.bytes : 0);
  const way: string[] = [];
  for (let folder = whole; ; ) {
    let best: { name: string; folder: Folder } | null = null;
    for (const [name, child] of folder.children) {
      if (best === null || share(child) > share(best.folder)) best = { name, folder: child };
    }
    if (best === null || (way.length > 0 && share(best.folder) < 1)) return way;
    way.push(best.name);
    folder = best.folder;
  }
}

function remove(whole: Folder, way: readonly string[]): void {
  let folder = whole;
  const parents: Folder[] = [];
  for (const name of way) {
    parents.push(folder);
    const child = folder.children.get(name);
    if (child === undefined) return;
    folder = child;
  }
  for (const parent of parents) {
    parent.files -= folder.files;
    parent.bytes -= folder.bytes;
  }
  parents.at(-1)?.children.delete(way.at(-1) ?? '');
}
