/** Matches paths against a glob, as .gitignore reads them (`*.ts` is at any depth), and with `{a,b}` besides. Pure. */

import ignore from 'ignore';

/** `{a,b}{c,d}...` doubles with each pair of braces. */
const MOST_PATTERNS = 256;

export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = withoutBraces(glob.replace(/^(\.\/)+/, ''));
  // Here these two are letters like any others.
  const literal = patterns.map((pattern) => (/^[!#]/.test(pattern) ? `\\${pattern}` : pattern));
  const wanted = ignore({ ignorecase: false }).add(literal);
  return (path) => wanted.ignores(path);
}

function withoutBraces(glob: string): string[] {
  let patterns = [glob];
  for (let isDone = false; !isDone && patterns.length < MOST_PATTERNS; ) {
    const next = patterns.flatMap(alternatives);
    isDone = next.length === patterns.length;
    patterns = next;
  }
  return patterns;
}

/** Of the first innermost braces. */
function alternatives(pattern: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (match === null) return [pattern];
  const [braces, inside = ''] = match;
  const end = match.index + braces.length;
  return inside.split(',').map((part) => pattern.slice(0, match.index) + part + pattern.slice(end));
}
