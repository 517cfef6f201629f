/** A write funnel over a real temporary folder, whose captures are in memory and whose order of calls is written down. */

import { nodeFileSystem } from '../../electron/base/file-system.ts';
import {
  createFunnel,
  openWorkspace,
  type Workspace,
  type WriteFunnel,
} from '../../electron/workspace/index.ts';
import { faultyFileSystem, type OnCall } from './faulty-file-system.ts';
import { temporaryFolder } from './folder.ts';
import { MemorySink } from './memory-sink.ts';

export interface FunnelUnderTest {
  readonly root: string;
  readonly sink: MemorySink;
  readonly workspace: Workspace;
  readonly funnel: WriteFunnel;
}

/** `onCall` hears every call of the funnel, none of the opening. */
export async function funnelOn(
  root: string,
  options: { onCall?: OnCall; maxFileBytes?: number | null } = {},
): Promise<FunnelUnderTest> {
  const opened = await openWorkspace(root);
  const workspace =
    options.onCall === undefined
      ? opened
      : { ...opened, fs: faultyFileSystem(nodeFileSystem, options.onCall) };
  const sink = new MemorySink(options.maxFileBytes);
  return { root, sink, workspace, funnel: createFunnel(workspace) };
}

export const funnelOnNewFolder = async (options?: Parameters<typeof funnelOn>[1]): Promise<FunnelUnderTest> =>
  funnelOn(await temporaryFolder(), options);
