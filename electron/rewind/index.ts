/** The door of the rewind room: what going back would do, doing it, and settling what a crash cut off. */

export { decide } from './choices.ts';
export { planRedo, planRewind } from './gather.ts';
export { recover } from './recover.ts';
export { applyRewind, type RedoRequest, type RewindRequest, redo, rewindChat } from './rewind.ts';
export { countLines, diffBytes, diffStates, turnDiff } from './turn-diff.ts';
export type { ChangeableFolder, Decisions, FilesScope, Folder, PlanRef, Watch } from './types.ts';
