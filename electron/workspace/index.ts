/** The door of the workspace room. */

export type { CaptureSink } from './capture-sink.ts';
export { type CommandRequest, runCommand } from './command/run-command.ts';
export { clearLeftovers } from './funnel/leftovers.ts';
export { createFunnel, type FunnelOptions } from './funnel.ts';
export { describeGitMoves } from './git/describe-moves.ts';
export { snapshotGit } from './git/snapshot.ts';
export { type LeftOut, leftOutOf } from './left-out.ts';
export { isShared } from './marks.ts';
export { isReadOnlyFolder, type OpenWorkspaceOptions, openWorkspace } from './open-workspace.ts';
export { globMatcher } from './read/glob.ts';
export { searchFolder } from './read/search.ts';
export { walk } from './read/walk.ts';
export type { Found } from './scan/look.ts';
export type { KnownRow } from './scan/messages.ts';
export { Scanner } from './scan/scanner.ts';
export { NEVER } from './scan/stat-table.ts';
export { isTempName } from './temp-name.ts';
export { decodeText, editText, type TextEdit } from './text-edit.ts';
export type * from './types.ts';
