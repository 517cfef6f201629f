/** One call of a tool as a compact row; what it was given and what came out opens below. */

import { createPatch } from 'diff';
import {
  Check,
  ChevronRight,
  CircleSlash,
  FilePen,
  FileText,
  Hourglass,
  LoaderCircle,
  Search,
  SquareTerminal,
  Trash2,
  X,
} from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { ChatItem, ToolStatus } from '../../../shared/transcript.ts';
import { LongText } from '../../ui/long-text.tsx';
import { UnifiedDiff } from '../diff/diff-view.tsx';
import './messages.css';

type ToolItem = Extract<ChatItem, { type: 'tool' }>;

export const ToolRow = memo(function ToolRow(props: {
  readonly item: ToolItem;
  readonly live: string | undefined;
}) {
  const { item } = props;
  const id = useId();
  const [opened, setOpened] = useState<boolean | null>(null);
  const output = (item.output ?? '') + (props.live ?? '');
  const patch = patchOf(item);
  const content = contentOf(item);
  const hasBody = output !== '' || patch !== null || content !== null;
  // A command that runs shows its output by itself; once it is done it folds, unless the person opened it.
  const open = opened ?? (item.status === 'running' && output !== '');
  const line = (
    <>
      <ToolIcon tool={item.tool} />
      <span className="tool-title truncate" title={item.title}>
        {item.title}
      </span>
      <StatusMark status={item.status} />
      {hasBody && <ChevronRight className="tool-chevron" aria-hidden />}
    </>
  );
  return (
    <div className="tool">
      {hasBody ? (
        <button
          type="button"
          className="tool-line"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpened(!open)}
        >
          {line}
        </button>
      ) : (
        <div className="tool-line">{line}</div>
      )}
      {item.error !== undefined && <p className="tool-error">{item.error.message}</p>}
      {open && hasBody && (
        <div className="tool-body" id={id}>
          {patch !== null && <UnifiedDiff unified={patch} />}
          {content !== null && <LongText text={content} />}
          {output !== '' && <LongText text={output} />}
        </div>
      )}
    </div>
  );
});

function ToolIcon({ tool }: { readonly tool: string }) {
  if (tool === 'run_command') return <SquareTerminal aria-hidden />;
  if (tool === 'delete_file') return <Trash2 aria-hidden />;
  if (/^(write|edit|move|create|set)_/.test(tool)) return <FilePen aria-hidden />;
  if (/^(list|search)_/.test(tool)) return <Search aria-hidden />;
  return <FileText aria-hidden />;
}

function StatusMark({ status }: { readonly status: ToolStatus }) {
  switch (status) {
    case 'pending':
      return <span className="tool-status">waiting</span>;
    case 'awaiting-approval':
      return (
        <>
          <span className="tool-status">needs your answer</span>
          <Hourglass aria-hidden />
        </>
      );
    case 'running':
      return <LoaderCircle className="spinner" aria-label="running" />;
    case 'done':
      return <Check className="tool-ok" aria-label="done" />;
    case 'failed':
      return <X className="tool-bad" aria-label="failed" />;
    case 'cancelled':
      return <CircleSlash aria-label="cancelled" />;
  }
}

function field(input: unknown, name: string): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : null;
}

function patchOf({ tool, input }: ToolItem): string | null {
  if (tool !== 'edit_file') return null;
  const [path, before, after] = [field(input, 'path'), field(input, 'old'), field(input, 'new')];
  return path === null || before === null || after === null ? null : createPatch(path, before, after);
}

/** A whole book in a row would help nobody. */
const MAX_SHOWN = 20_000;

function contentOf({ tool, input }: ToolItem): string | null {
  const content = tool === 'write_file' ? field(input, 'content') : null;
  if (content === null) return null;
  return content.length > MAX_SHOWN ? `${content.slice(0, MAX_SHOWN)}\n…` : content;
}
