/** The door of the workspace room. */

export type { CaptureSink } from './capture-sink.ts';
export { completeInPlace, removeTemp } from './funnel/in-place.ts';
export { createFunnel, type FunnelOptions } from './funnel.ts';
export { isReadOnlyFolder, type OpenWorkspaceOptions, openWorkspace } from './open-workspace.ts';
export { isTempName } from './temp-name.ts';
export { decodeText, editText, type TextEdit } from './text-edit.ts';
export type * from './types.ts';
