/** Finds texts that every match of a regular expression holds, so that most files need not be looked at line by line. Pure. */

/** Groups, alternatives, sets, counts, and characters by their number: what is in them is not needed, or is no text. */
const NOT_EASILY_SEEN = /^(?:[()|[\]{}]|\\[xuckpP\d])$/;

/** Those that are easily seen; none where there are alternatives. */
export function literalsIn(pattern: string): string[] {
  const tokens = pattern.match(/\\.|[^\\]/gsu) ?? [];
  if (tokens.some((token) => NOT_EASILY_SEEN.test(token))) return [];
  const runs = [''];
  for (const token of tokens) {
    const run = runs.at(-1) ?? '';
    // The character before may be missing.
    if (token === '*' || token === '?') runs.splice(-1, 1, [...run].slice(0, -1).join(''), '');
    else if (/^(?:[+.^$]|\\\w)$/.test(token)) runs.push('');
    else runs.splice(-1, 1, run + token.replace(/^\\/, ''));
  }
  return runs.filter((run) => run !== '');
}
