/** Paths of a folder as plain text, the way a scan finds them: relative, with `/`; the folder itself is the empty one. */

export const childOf = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;

export function directoryOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '' : path.slice(0, cut);
}

/** Whether any of the directories that the path stands in passes the test. */
export function isInside(path: string, test: (directory: string) => boolean): boolean {
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
    if (test(path.slice(0, cut))) return true;
  }
  return false;
}
