/** Bounds what a window may send before any schema looks at it: size, depth and kinds of values. */

/** Text of a request in UTF-16 units, keys included: the longest prompt, and room for ten thousand paths. */
const MAX_TEXT = 8_000_000;
const MAX_VALUES = 200_000;
const MAX_DEPTH = 12;

/** Returns what is wrong with the request, or null. */
export function sizeProblem(request: unknown): string | null {
  let text = 0;
  let values = 0;
  const problemOf = (value: unknown, depth: number): string | null => {
    values += 1;
    if (values > MAX_VALUES) return 'it holds too many values';
    if (typeof value === 'string') text += value.length;
    if (text > MAX_TEXT) return 'it is too long';
    if (value === null || typeof value !== 'object') return null;
    if (depth >= MAX_DEPTH) return 'it is nested too deeply';
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) {
      // Structured clone also carries maps, buffers, dates: no channel takes any.
      return 'it holds something other than plain values';
    }
    for (const [key, member] of Object.entries(value)) {
      text += key.length;
      const problem = problemOf(member, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return problemOf(request, 0);
}
