/** What a call would do, for the person who is asked about it: the exact command, or the diff of a write. */

import { AppError } from '../../shared/errors.ts';
import type { ApprovalRequest } from '../../shared/transcript.ts';
import { type ToolCall, writtenBytes } from '../agent/index.ts';
import { diffBytes } from '../rewind/index.ts';
import { decodeText, editText, type Workspace } from '../workspace/index.ts';

export type Preview = Pick<ApprovalRequest, 'command' | 'diff' | 'path'>;

export async function previewOf(call: ToolCall, workspace: Workspace): Promise<Preview> {
  switch (call.tool) {
    case 'run_command':
      return { command: call.command };
    case 'write_file':
      return written(workspace, call.path, () => writtenBytes(call));
    case 'edit_file': {
      const { path, old, new: replacement, all = false } = call;
      return written(workspace, path, (present) =>
        Buffer.from(
          editText(decodeText(present ?? new Uint8Array(), path), { old, new: replacement, all }, path),
        ),
      );
    }
    case 'move_file':
      return { path: call.from };
    case 'delete_file':
    case 'create_directory':
    case 'set_executable':
    case 'read_file':
      return { path: call.path };
    case 'list_files':
    case 'search_text':
      return {};
  }
}

/** A call that can't be shown is asked about without a diff; if it is allowed it fails with its own reason. */
async function written(
  workspace: Workspace,
  text: string,
  after: (present: Uint8Array | null) => Uint8Array,
): Promise<Preview> {
  try {
    const path = await workspace.contain(text);
    const present = await presentBytes(workspace, path);
    const diff = await diffBytes(path, present, after(present));
    return diff.kind === 'text' ? { path, diff: diff.unified } : { path };
  } catch (error) {
    if (error instanceof AppError) return { path: text };
    throw error;
  }
}

async function presentBytes(
  workspace: Workspace,
  path: Awaited<ReturnType<Workspace['contain']>>,
): Promise<Uint8Array | null> {
  const state = await workspace.stateOf(path, LARGEST_SHOWN_BYTES);
  return state.kind === 'content' ? workspace.read(path) : null;
}

/** Comparing larger files takes longer than a person should wait for a question. */
const LARGEST_SHOWN_BYTES = 1024 * 1024;
