/** Recognises a message that is meant for the practice agent: nobody writes to a model like this. */

const WORDS = [
  /^(write|append)\s+("[^"]+"|\S+)\s*:(\s|$)/i,
  /^replace\s+".*"\s+with\s+".*"\s+in\s+\S/i,
  /^delete\s+("[^"]+"|\S+)$/i,
  /^move\s+("[^"]+"|\S+)\s+to\s+("[^"]+"|\S+)$/i,
  /^run\s*:\s*\S/i,
];

/** True for one JSON array of calls, and where every line is one of the practice agent's sentences. */
export function isForPractice(message: string): boolean {
  if (message.trimStart().startsWith('[')) return isCalls(message);
  const lines = message
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0 && lines.every((line) => WORDS.some((pattern) => pattern.test(line)));
}

function isCalls(message: string): boolean {
  try {
    const calls: unknown = JSON.parse(message);
    return (
      Array.isArray(calls) && calls.every((one) => typeof one === 'object' && one !== null && 'tool' in one)
    );
  } catch {
    return false;
  }
}
