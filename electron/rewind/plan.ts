/** Decides what going back does to each path, from what was captured and what is on disk. Pure. */

import { type FileState, sameState } from '../../shared/file-state.ts';
import type { NotCovered } from '../../shared/history.ts';
import type { RelPath, TurnNumber } from '../../shared/ids.ts';
import { parentsOf } from '../../shared/rel-path.ts';
import type { Plan, PlanAction, PlanItem, Verdict } from '../../shared/rewind.ts';
import type { CaptureRow } from '../store/types.ts';
import { planIdOf } from './plan-id.ts';
import * as words from './words.ts';

/** All that is known of one path. */
export interface PathFacts {
  readonly path: RelPath;
  /** The captures to undo, oldest first; at least one. */
  readonly captures: readonly [CaptureRow, ...CaptureRow[]];
  /** What an unfinished rewind of these captures left; null without one. */
  readonly partlyPutBack: FileState | null;
  readonly present: FileState;
  /** The path of the row may not be touched: it leads out of the folder, or to what is never changed. */
  readonly outside: boolean;
  /** Of the wanted content; `ok` where none is needed. */
  readonly blob: 'ok' | 'missing' | 'damaged';
  /** What a present directory holds. */
  readonly children: readonly string[];
}

export interface PlanInput {
  readonly kind: 'rewind' | 'redo';
  readonly turn: TurnNumber;
  readonly paths?: readonly string[];
  readonly undoes: readonly TurnNumber[];
  readonly notCovered: readonly NotCovered[];
  readonly notes: readonly string[];
  readonly facts: readonly PathFacts[];
}

export function buildPlan(input: PlanInput): Plan {
  const items = input.facts
    .map((facts) => itemOf(facts, input.kind))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const content = {
    turn: input.turn,
    kind: input.kind,
    ...(input.paths === undefined ? {} : { paths: input.paths }),
    undoes: input.undoes,
    items: withDirectoriesThatStay(withOnlyCopiesThatStay(items), input.facts),
    notCovered: input.notCovered,
    notes: input.notes,
  };
  return { planId: planIdOf(content), ...content };
}

function itemOf(facts: PathFacts, kind: 'rewind' | 'redo'): PlanItem {
  const { path, captures, present } = facts;
  const wanted = captures[0].pre;
  const newest = captures.at(-1) ?? captures[0];
  return {
    path,
    ...verdictOf(facts, wanted, newest, kind),
    wanted,
    expected: newest.post,
    present,
    marks: marksOf(captures, present, kind),
  };
}

interface Judgement {
  readonly verdict: Verdict;
  readonly action: PlanAction;
  readonly reason?: string;
}

function verdictOf(
  { outside, blob, partlyPutBack, present }: PathFacts,
  wanted: FileState,
  newest: CaptureRow,
  kind: 'rewind' | 'redo',
): Judgement {
  const untouched = (verdict: Verdict, reason: string): Judgement => ({ verdict, action: 'none', reason });
  if (outside) return untouched('skipped', words.OUTSIDE);
  if (wanted.kind === 'skipped') return untouched('skipped', wanted.reason);
  if (sameState(present, wanted)) return { verdict: 'same', action: 'none' };
  if (present.kind === 'skipped') return untouched('skipped', words.unkeepableReason(present.reason));
  if (blob !== 'ok' && needsBlob(wanted, present)) return untouched('lost', words.lostReason(blob));
  const action = wanted.kind === 'absent' ? 'delete' : 'write';
  // Without a known after-state, the disk may still be as the entry was about to leave it.
  if (isAsLeft(newest.post ?? newest.intent, present) || isAsLeft(partlyPutBack, present))
    return { verdict: 'apply', action };
  return { verdict: 'conflict', action, reason: conflictReason(newest, present, kind) };
}

/** A change of mode alone needs no bytes. */
export const needsBlob = (wanted: FileState, present: FileState): boolean =>
  wanted.kind === 'content' && !(present.kind === 'content' && present.sha256 === wanted.sha256);

function isAsLeft(left: FileState | null, present: FileState): boolean {
  if (left === null) return false;
  return sameState(left, present) || isAsLargeAs(left, present);
}

/** A scan does not hash files over the limit; size and mode are all there is to compare. */
const isAsLargeAs = (left: FileState | null, present: FileState): boolean =>
  left?.kind === 'skipped' &&
  left.bytes !== undefined &&
  present.kind === 'content' &&
  present.bytes === left.bytes &&
  (left.mode === undefined || present.mode === left.mode);

function conflictReason(newest: CaptureRow, present: FileState, kind: 'rewind' | 'redo'): string {
  if (newest.post === null) return words.unknownSince(newest.turn, kind);
  return present.kind === 'absent'
    ? words.deletedSince(newest.turn, kind)
    : words.changedSince(newest.turn, kind);
}

function marksOf(
  captures: readonly CaptureRow[],
  present: FileState,
  kind: 'rewind' | 'redo',
): readonly string[] {
  const marks = new Set(captures.flatMap((capture) => capture.marks));
  captures.forEach((later, index) => {
    const earlier = captures[index - 1];
    if (earlier !== undefined && wasChangedBetween(earlier, later)) {
      marks.add(words.changedBetween(earlier.turn, later.turn));
    }
    if (later.recovered) marks.add(words.readAfterCrash(later.turn, kind));
  });
  if (isAsLargeAs(captures.at(-1)?.post ?? null, present)) marks.add(words.comparedBySize);
  return [...marks];
}

/** What the later turn found is not what the earlier one left. States that are not held tell nothing. */
const wasChangedBetween = (earlier: CaptureRow, later: CaptureRow): boolean =>
  earlier.post !== null &&
  earlier.post.kind !== 'skipped' &&
  later.pre.kind !== 'skipped' &&
  !sameState(earlier.post, later.pre);

/**
 * A large file that was moved is not held, and its old place can't have it back: what stands at the new place may be all there is
 * of it. Its size is all that is known.
 */
function withOnlyCopiesThatStay(items: readonly PlanItem[]): PlanItem[] {
  const notHeld = new Map<number, string>();
  for (const { path, wanted, verdict } of items) {
    if (verdict === 'skipped' && wanted.kind === 'skipped' && wanted.bytes) notHeld.set(wanted.bytes, path);
  }
  return items.map((item) => {
    const { action, present } = item;
    const from = action === 'delete' && present.kind === 'content' ? notHeld.get(present.bytes) : undefined;
    return from === undefined
      ? item
      : { ...item, verdict: 'skipped', action: 'none', reason: words.mayBeOnlyCopy(from) };
  });
}

/** A directory goes only when all it holds goes, too, and nothing comes back into it: anything else in it is not ours to remove. */
function withDirectoriesThatStay(items: readonly PlanItem[], facts: readonly PathFacts[]): PlanItem[] {
  const itemAt = new Map(items.map((item) => [item.path, item]));
  const childrenAt = new Map<string, readonly string[]>(facts.map(({ path, children }) => [path, children]));
  const needed = new Set<string>(
    facts.filter(({ path }) => itemAt.get(path)?.action === 'write').flatMap(({ path }) => parentsOf(path)),
  );
  const goes = new Map<string, boolean>();
  const decideWhetherItGoes = (path: string): boolean => {
    const known = goes.get(path);
    if (known !== undefined) return known;
    const item = itemAt.get(path);
    const isGoing = item?.action === 'delete';
    const result = isGoing && (item.present.kind !== 'directory' || (!needed.has(path) && childrenGo(path)));
    goes.set(path, result);
    return result;
  };
  const childrenGo = (path: string): boolean => (childrenAt.get(path) ?? []).every(decideWhetherItGoes);
  return items.map((item) => {
    const mustGo =
      item.action !== 'none' && item.present.kind === 'directory' && item.wanted.kind !== 'directory';
    if (!mustGo) return item;
    if (item.action === 'delete' && needed.has(item.path)) {
      return { ...item, action: 'none', reason: words.NEEDED };
    }
    if (childrenGo(item.path)) return item;
    return item.action === 'delete'
      ? { ...item, action: 'none', reason: words.NOT_EMPTY }
      : { ...item, verdict: 'conflict', action: 'none', reason: words.folderInTheWay };
  });
}
