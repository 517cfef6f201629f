/** A sentence in which what stands between backticks is code, e.g. a command to copy. */

import { Fragment } from 'react';

export function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <code key={index} className="code-words">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
