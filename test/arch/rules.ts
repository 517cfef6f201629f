/** The import rules of docs/architecture.md as a pure check: source files in, violations with their reason out. */

import ts from 'typescript';

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

type Room =
  | 'shared'
  | 'base'
  | 'store'
  | 'workspace'
  | 'rewind'
  | 'agent'
  | 'session'
  | 'ipc'
  | 'cli'
  | 'app'
  | 'preload'
  | 'renderer';

/** Which rooms a room may import from, besides itself. */
const MAY_IMPORT: Record<Room, readonly Room[]> = {
  shared: [],
  base: ['shared'],
  store: ['shared', 'base'],
  workspace: ['shared', 'base'],
  rewind: ['shared', 'base', 'store', 'workspace'],
  agent: ['shared', 'base'],
  session: ['shared', 'base', 'store', 'workspace', 'rewind', 'agent'],
  ipc: ['shared', 'base', 'store', 'workspace', 'rewind', 'agent', 'session'],
  cli: ['shared', 'base', 'store', 'workspace', 'rewind', 'agent', 'session'],
  app: ['shared', 'base', 'store', 'workspace', 'rewind', 'agent', 'session', 'ipc', 'cli'],
  preload: ['shared'],
  renderer: ['shared'],
};

const WRITING_FS_CALLS = new Set(
  [
    'appendFile',
    'chmod',
    'chown',
    'copyFile',
    'cp',
    'createWriteStream',
    'fchmod',
    'fchown',
    'ftruncate',
    'futimes',
    'lchmod',
    'lchown',
    'link',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'rename',
    'rm',
    'rmdir',
    'symlink',
    'truncate',
    'unlink',
    'utimes',
    'write',
    'writeFile',
    'writev',
  ].flatMap((name) => [name, `${name}Sync`]),
);

/** Where functions of node:fs that write may be called: each with what it writes. */
const MAY_WRITE: readonly { readonly prefix: string; readonly what: string }[] = [
  { prefix: 'electron/base/', what: 'the delegate that everything else goes through' },
  { prefix: 'electron/store/', what: 'the checkpoint store' },
];
/** Files of the app's own data, outside of any folder of a person. */
const APP_DATA_FILES = new Set([
  'electron/app/data-file.ts',
  'electron/app/log.ts',
  'electron/app/screenshot.ts',
]);

export function roomOf(path: string): Room | null {
  if (path.startsWith('shared/')) return 'shared';
  if (path.startsWith('renderer/')) return 'renderer';
  if (path === 'electron/preload.ts') return 'preload';
  const room = /^electron\/(base|store|workspace|rewind|agent|session|ipc|cli|app)\//.exec(path)?.[1];
  return (room as Room | undefined) ?? null;
}

export function violationsIn(file: SourceFile): string[] {
  const room = roomOf(file.path);
  if (room === null) return [`${file.path}: stands in no room of docs/architecture.md; put it into one.`];
  const violations: string[] = [];
  const { importedFiles } = ts.preProcessFile(file.text, true, true);
  for (const { fileName: specifier } of importedFiles) {
    const reason = specifier.startsWith('.')
      ? relativeImportProblem(file.path, room, specifier)
      : packageImportProblem(file.path, room, specifier);
    if (reason !== null) violations.push(`${file.path} imports ${specifier}: ${reason}`);
  }
  violations.push(...writingCalls(file));
  return violations;
}

function relativeImportProblem(path: string, room: Room, specifier: string): string | null {
  const target = resolveRelative(path, specifier);
  const targetRoom = roomOf(target);
  if (targetRoom === null) return `it leads to ${target}, outside of the source rooms.`;
  if (targetRoom === room || MAY_IMPORT[room].includes(targetRoom)) return null;
  return `${room} may import ${MAY_IMPORT[room].join(', ') || 'nothing else'}, so that the rooms below never know those above.`;
}

function packageImportProblem(path: string, room: Room, specifier: string): string | null {
  if (specifier === 'electron' || specifier.startsWith('electron/')) {
    return room === 'app' || room === 'ipc' || room === 'preload'
      ? null
      : 'Electron stays at the edge (app, ipc, preload), so that everything else runs without a window.';
  }
  if (specifier === 'better-sqlite3') {
    return path === 'electron/store/db.ts' ? null : 'the database has one owner, electron/store/db.ts.';
  }
  if (specifier.startsWith('node:') && (room === 'shared' || room === 'renderer' || room === 'preload')) {
    return `${room} runs without Node.`;
  }
  if (/^(fs|path|os|child_process|crypto|url|util|stream|worker_threads)(\/|$)/.test(specifier))
    return 'Node modules are imported with the node: prefix.';
  if (
    (specifier === 'react' || specifier.startsWith('react-') || specifier.startsWith('react/')) &&
    room !== 'renderer'
  )
    return 'React lives in the renderer.';
  return null;
}

/** Calls of writing functions on a binding that was imported from node:fs. */
function writingCalls(file: SourceFile): string[] {
  if (APP_DATA_FILES.has(file.path) || MAY_WRITE.some(({ prefix }) => file.path.startsWith(prefix)))
    return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const namespaces = new Set<string>();
  const functions = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!/^node:fs(\/promises)?$/.test(statement.moduleSpecifier.text)) continue;
    const clause = statement.importClause;
    if (clause?.name !== undefined) namespaces.add(clause.name.text);
    const bindings = clause?.namedBindings;
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) namespaces.add(bindings.name.text);
    else
      for (const element of bindings.elements) {
        const imported = (element.propertyName ?? element.name).text;
        if (imported === 'promises') namespaces.add(element.name.text);
        functions.set(element.name.text, imported);
      }
  }
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = calledFsFunction(node.expression, namespaces, functions);
      if (name !== null && WRITING_FS_CALLS.has(name)) {
        found.push(
          `${file.path} calls ${name} of node:fs: only base, the store, and the app's own data files write; the folder is changed by the funnel through its FileSystem.`,
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function calledFsFunction(
  callee: ts.Expression,
  namespaces: ReadonlySet<string>,
  functions: ReadonlyMap<string, string>,
): string | null {
  if (ts.isIdentifier(callee)) return functions.get(callee.text) ?? null;
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const owner = callee.expression;
  const isNamespace = ts.isIdentifier(owner)
    ? namespaces.has(owner.text)
    : ts.isPropertyAccessExpression(owner) &&
      owner.name.text === 'promises' &&
      ts.isIdentifier(owner.expression) &&
      namespaces.has(owner.expression.text);
  return isNamespace ? callee.name.text : null;
}

function resolveRelative(from: string, specifier: string): string {
  const components = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') components.pop();
    else if (part !== '.') components.push(part);
  }
  return components.join('/');
}
