/** Names that git gives: of objects and of refs. What stands in a repository's files may have been written by anybody. */

export type ObjectName = string & { readonly brand: 'git-object' };

export const objectNameIn = (text: string): ObjectName | null =>
  /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? (text as ObjectName) : null;

/** By the rules of git itself: no white space, no control characters. */
export const isRefName = (name: string): boolean =>
  name.startsWith('refs/') && !/[\s\p{Cc}\p{Cf}~^:?*[\\]|\.\.|@\{/u.test(name);

/** For people. */
export const shortObject = (name: ObjectName | null): string => name?.slice(0, 7) ?? 'no commit';

export const shortRef = (name: string): string => name.replace(/^refs\/(heads|tags)\//, '');

/** For a command that a person copies into a shell: `$(...)`, quotes and semicolons are allowed in names of branches. */
export const inShell = (name: string): string =>
  /^\w[\w./@+=-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
