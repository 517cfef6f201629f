/** Runs the tools of one turn: writes through the funnel, reads through the workspace, commands as steps of their own. */

import type { ErrorInfo } from '../../shared/errors.ts';
import { type ToolCall, writtenBytes } from '../agent/index.ts';
import type { OpenEntry } from '../store/index.ts';
import { decodeText } from '../workspace/index.ts';
import type { FolderParts } from './folder-parts.ts';
import type { OpaqueSteps } from './opaque-step.ts';
import { type Preview, previewOf } from './preview.ts';
import { listFiles, readFile, searchText } from './read-tools.ts';
import { runCommandFor } from './run-command.ts';
import type { SeenFiles } from './seen-files.ts';

export interface ToolOutcome {
  readonly ok: boolean;
  readonly output: string;
  readonly error?: ErrorInfo;
}

export interface ToolSurroundings {
  readonly parts: FolderParts;
  readonly entry: OpenEntry;
  readonly steps: OpaqueSteps;
  /** For an agent that must reread before it writes. */
  readonly seen: SeenFiles | null;
  readonly signal: AbortSignal;
}

export class ToolExecutor {
  readonly #around: ToolSurroundings;

  constructor(around: ToolSurroundings) {
    this.#around = around;
  }

  /** Throws AppError; what the agent should know of a failure is in its message. */
  async run(call: ToolCall, onOutput: (delta: string) => void): Promise<ToolOutcome> {
    const { parts, steps, signal } = this.#around;
    switch (call.tool) {
      case 'read_file':
        return said(await readFile(parts.workspace, call, this.#around.seen));
      case 'list_files':
        return said(await listFiles(parts, call, signal));
      case 'search_text':
        return said(await searchText(parts, call, signal));
      case 'run_command':
        return steps.around(() => runCommandFor(parts.workspace.root, call, onOutput, signal));
      case 'write_file':
      case 'edit_file':
      case 'delete_file':
      case 'move_file':
      case 'create_directory':
      case 'set_executable':
        // In the middle of an unseen step the funnel would take what that has done so far for the person's.
        await steps.observeInside();
        return said(await this.#write(call));
    }
  }

  preview(call: ToolCall): Promise<Preview> {
    return previewOf(call, this.#around.parts.workspace);
  }

  /** The whole text of a file, for an agent that asks for it by itself. */
  async readText(path: string): Promise<string> {
    const { workspace } = this.#around.parts;
    const contained = await workspace.contain(path);
    return decodeText(await workspace.read(contained), contained);
  }

  async #write(call: WritingCall): Promise<string> {
    const { parts, entry } = this.#around;
    const { funnel } = parts;
    switch (call.tool) {
      case 'write_file': {
        const bytes = writtenBytes(call);
        await this.#checkSeen(call.path);
        await funnel.writeFile(entry, call.path, bytes);
        await this.#noteSeen(call.path);
        return `Wrote ${bytes.length} bytes to ${call.path}.`;
      }
      case 'edit_file': {
        await this.#checkSeen(call.path);
        const { old, new: replacement, all = false } = call;
        await funnel.editFile(entry, call.path, { old, new: replacement, all });
        await this.#noteSeen(call.path);
        return `Edited ${call.path}.`;
      }
      case 'delete_file':
        await this.#checkSeen(call.path);
        await funnel.deletePath(entry, call.path, { recursive: call.recursive === true });
        await this.#noteSeen(call.path);
        return `Deleted ${call.path}.`;
      case 'move_file':
        await funnel.movePath(entry, call.from, call.to);
        return `Moved ${call.from} to ${call.to}.`;
      case 'create_directory':
        await funnel.createDirectory(entry, call.path);
        return `Made the folder ${call.path}.`;
      case 'set_executable':
        await funnel.setExecutable(entry, call.path, call.executable);
        await this.#noteSeen(call.path);
        return `${call.path} is ${call.executable ? 'executable' : 'not executable'} now.`;
    }
  }

  async #checkSeen(text: string): Promise<void> {
    const { seen, parts } = this.#around;
    if (seen === null) return;
    const path = await parts.workspace.contain(text);
    await seen.check(path, () => parts.workspace.stateOf(path, null));
  }

  /** Its own writes are what the agent has seen, too. */
  async #noteSeen(text: string): Promise<void> {
    const { seen, parts } = this.#around;
    if (seen === null) return;
    const path = await parts.workspace.contain(text);
    seen.note(path, await parts.workspace.stateOf(path, null));
  }
}

type WritingCall = Extract<
  ToolCall,
  {
    tool: 'write_file' | 'edit_file' | 'delete_file' | 'move_file' | 'create_directory' | 'set_executable';
  }
>;

const said = (output: string): ToolOutcome => ({ ok: true, output });
