/** Draws a long text in pieces: the browser lays out those in sight, and of a growing text only the last one changes. */

import { memo, useMemo } from 'react';
import './long-text.css';

const LINES_OF_A_PIECE = 100;
const LINE_HEIGHT = 18.6;

export function LongText({ text }: { readonly text: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    <pre className="long-text">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
        <Piece key={index} text={piece} />
      ))}
    </pre>
  );
}

const Piece = memo(function Piece({ text }: { readonly text: string }) {
  return (
    <span
      className="text-piece"
      style={{ containIntrinsicBlockSize: `auto ${LINES_OF_A_PIECE * LINE_HEIGHT}px` }}
    >
      {text}
    </span>
  );
});

/** Each ends with the end of a line, except the last. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    lines += 1;
    if (lines % LINES_OF_A_PIECE !== 0) continue;
    pieces.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}
