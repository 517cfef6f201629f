/** The tools by which an agent looks around: capped, so that no answer fills its context. */

import { AppError } from '../../shared/errors.ts';
import type { RelPath } from '../../shared/ids.ts';
import type { ToolCall } from '../agent/index.ts';
import {
  decodeText,
  globMatcher,
  type LeftOut,
  searchFolder,
  type Workspace,
  walk,
} from '../workspace/index.ts';
import type { SeenFiles } from './seen-files.ts';

type Call<Name extends ToolCall['tool']> = Extract<ToolCall, { tool: Name }>;

const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;
const LARGEST_READ_BYTES = 8 * 1024 * 1024;
const MOST_PATHS = 2000;
const MOST_FOUND_LINES = 500;
const MOST_NAMED = 10;

interface Surroundings {
  readonly workspace: Workspace;
  readonly baseline: { readonly leftOut: LeftOut };
}

/** Throws AppError `path-not-found`, `path-wrong-kind`, `not-text` and what containment throws. */
export async function readFile(
  workspace: Workspace,
  { path: text, startLine = 1, maxLines = MOST_LINES }: Call<'read_file'>,
  seen: SeenFiles | null,
): Promise<string> {
  const path = await workspace.contain(text);
  const state = await workspace.stateOf(path, LARGEST_READ_BYTES);
  if (state.kind === 'skipped') {
    throw new AppError('path-wrong-kind', `${path} can't be read: ${state.reason}.`, { path });
  }
  const content = decodeText(await workspace.read(path), path);
  seen?.note(path, state);
  const lines = content.split('\n');
  const wanted = lines.slice(startLine - 1, startLine - 1 + Math.min(maxLines, MOST_LINES));
  const shown = wanted.join('\n');
  const end = startLine - 1 + wanted.length;
  if (shown.length > MOST_CHARACTERS) {
    return `${shown.slice(0, MOST_CHARACTERS)}\n… cut after ${MOST_CHARACTERS} characters; ask for fewer lines.`;
  }
  return end < lines.length
    ? `${shown}\n… ${lines.length - end} more lines; go on with startLine ${end + 1}.`
    : shown;
}

export async function listFiles(
  { workspace, baseline: { leftOut } }: Surroundings,
  { path: text, glob }: Call<'list_files'>,
  signal: AbortSignal,
): Promise<string> {
  const from = await placeOf(workspace, text);
  const isWanted = glob === undefined ? null : globMatcher(glob);
  // A glob is about paths below the named folder.
  const start = from === '' ? 0 : from.length + 1;
  const paths: string[] = [];
  for await (const { path, kind } of walk({ root: workspace.root, from, leftOut, signal })) {
    if (isWanted === null) paths.push(kind === 'directory' ? `${path}/` : path);
    else if (kind !== 'directory' && isWanted(path.slice(start))) paths.push(path);
  }
  if (paths.length === 0) return 'Nothing there.';
  if (paths.length <= MOST_PATHS) return paths.join('\n');
  const shown = paths
    .sort((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MOST_PATHS)
    .sort();
  return `${shown.join('\n')}\n… and ${paths.length - MOST_PATHS} more, deeper down; name a folder or a glob.`;
}

export async function searchText(
  { workspace, baseline: { leftOut } }: Surroundings,
  { path: text, pattern }: Call<'search_text'>,
  signal: AbortSignal,
): Promise<string> {
  const from = await placeOf(workspace, text);
  const { found, isCut, tooLarge, isPlainText } = await searchFolder({
    root: workspace.root,
    from,
    leftOut,
    signal,
    pattern,
    most: MOST_FOUND_LINES,
  });
  const lines = found.map((match) => `${match.path}:${match.line}: ${match.text}`);
  if (found.length === 0) lines.push('Nothing found.');
  if (isCut) lines.push(`… and more than these ${MOST_FOUND_LINES} lines; search for something rarer.`);
  if (isPlainText) lines.push('(The pattern is no regular expression; it was searched for as plain text.)');
  if (tooLarge.length > 0) lines.push(`(Not searched, too large: ${named(tooLarge)}.)`);
  return lines.join('\n');
}

const depthOf = (path: string): number => path.split('/').length;

const named = (paths: readonly string[]): string =>
  paths.length <= MOST_NAMED
    ? paths.join(', ')
    : `${paths.slice(0, MOST_NAMED).join(', ')} and ${paths.length - MOST_NAMED} more`;

/** Where to look; '' is the whole folder. A link is not followed: it may lead out of the folder. */
async function placeOf(workspace: Workspace, text: string | undefined): Promise<RelPath | ''> {
  if (text === undefined || text === '.' || text === './') return '';
  const path = await workspace.contain(text);
  const { kind } = await workspace.stateOf(path, 0);
  if (kind === 'absent') throw new AppError('path-not-found', `There is no ${path}.`, { path });
  if (kind === 'symlink')
    throw new AppError('path-wrong-kind', `${path} is a link; name where it leads.`, { path });
  return path;
}
