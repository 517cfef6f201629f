/**
 * Parts the protocol's messages on an agent's standard output from what it prints there besides: banners, warnings, a wish to log in.
 * Unparted, each such line would be answered with an error, which a talkative agent would answer with another line.
 */

const NEWLINE = 10;
const OPENING_BRACE = 123;

/** Every message is one line that begins with a brace; other lines go to `onOther`, in pieces as they come. */
export function protocolLines(onOther: (bytes: Uint8Array) => void): TransformStream<Uint8Array, Uint8Array> {
  let isMessage: boolean | null = null;
  return new TransformStream({
    transform(chunk, controller) {
      for (let from = 0; from < chunk.length; ) {
        isMessage ??= chunk[from] === OPENING_BRACE;
        const end = chunk.indexOf(NEWLINE, from);
        const piece = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
        if (isMessage) controller.enqueue(piece);
        else onOther(piece);
        if (end !== -1) isMessage = null;
        from += piece.length;
      }
    },
  });
}
