/** Shows an agent's text. Whatever it says: no raw HTML, no images, and links only through the question of the main process. */

import { Check, Copy } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { call } from '../../api/client.ts';
import { copyTextOf } from '../../lib/copy.ts';
import { IconButton } from '../../ui/button.tsx';
import './markdown.css';

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => <AgentLink href={href}>{children}</AgentLink>,
  img: ({ alt, src }) => (
    <span className="faint">[picture{alt ? `: ${alt}` : typeof src === 'string' ? ` at ${src}` : ''}]</span>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  input: ({ checked }) => <input type="checkbox" checked={checked === true} readOnly disabled />,
};

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** While text streams, finished paragraphs are not read again for each piece that arrives. */
export function StreamedMarkdown({ text }: { readonly text: string }) {
  const cut = stableLength(text);
  return (
    <>
      {cut > 0 && <Markdown text={text.slice(0, cut)} />}
      {cut < text.length && <Markdown text={text.slice(cut)} />}
    </>
  );
}

/** How much of a growing text is made of whole blocks: up to the last empty line that is not inside a code fence. */
export function stableLength(text: string): number {
  let fence: string | null = null;
  let stable = 0;
  let position = 0;
  for (const line of text.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined) {
      if (fence === null) fence = marker;
      else if (marker[0] === fence[0] && marker.length >= fence.length) fence = null;
    }
    position += line.length + 1;
    if (fence === null && line.trim() === '' && position <= text.length) stable = position;
  }
  return stable;
}

function AgentLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  return (
    <a
      href={href}
      title={href}
      onClick={(event) => {
        event.preventDefault();
        if (href !== undefined) void call('app:open-link', { url: href, fromAgent: true }).catch(() => {});
      }}
    >
      {children}
    </a>
  );
}

function CodeBlock({ children }: { readonly children: ReactNode }) {
  const [copied, setCopied] = useState(false);
  const [element, setElement] = useState<HTMLPreElement | null>(null);
  return (
    <div className="code-block">
      <pre ref={setElement}>{children}</pre>
      <IconButton
        label={copied ? 'Copied' : 'Copy'}
        className="code-copy"
        onClick={() => setCopied(element !== null && copyTextOf(element))}
      >
        {copied ? <Check /> : <Copy />}
      </IconButton>
    </div>
  );
}
