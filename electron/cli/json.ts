/** The JSON of the headless face. Names and shapes are promises to scripts: add to them, don't change them. */

import type { FileState } from '../../shared/file-state.ts';
import type { EntrySummary } from '../../shared/history.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import type { TurnDiff } from '../../shared/session.ts';

export const turnsJson = (entries: readonly EntrySummary[]): unknown =>
  entries.map((entry) => ({
    turn: entry.turn,
    label: entry.label,
    at: entry.atMs,
    kind: entry.kind,
    status: entry.status,
    files: entry.captures.map(({ path, pre, change, lines, inForce, marks }) => ({
      path,
      pre: preJson(pre),
      change,
      lines,
      inForce,
      marks,
    })),
    outcome: entry.outcome,
    agent: entry.agent,
    target: entry.target,
    notCovered: entry.notCovered,
    notes: entry.notes,
  }));

/** Only the promised fields, each where its kind has it. */
function preJson(pre: FileState): unknown {
  switch (pre.kind) {
    case 'absent':
      return { kind: pre.kind };
    case 'content':
      return { kind: pre.kind, sha256: pre.sha256, bytes: pre.bytes, mode: pre.mode };
    case 'symlink':
      return { kind: pre.kind, target: pre.target };
    case 'directory':
      return { kind: pre.kind, mode: pre.mode };
    case 'skipped':
      return { kind: pre.kind, reason: pre.reason, bytes: pre.bytes, mode: pre.mode };
  }
}

export const planJson = (plan: Plan): unknown => ({
  planId: plan.planId,
  turn: plan.turn,
  items: plan.items.map(({ path, verdict, action, reason, marks }) => ({
    path,
    verdict,
    action,
    reason,
    marks,
  })),
  undoes: plan.undoes,
  notCovered: plan.notCovered,
  notes: plan.notes,
});

export const reportJson = (report: RewindReport): object => ({
  rewind: report.rewind,
  turn: report.turn,
  restored: report.restored,
  deleted: report.deleted,
  kept: report.kept,
  conflicts: report.conflicts,
  failed: report.failed,
  notDone: report.notDone,
});

export const diffJson = (diffs: readonly TurnDiff[]): unknown => diffs.map(oneDiffJson);

function oneDiffJson(diff: TurnDiff): unknown {
  const { path } = diff;
  switch (diff.kind) {
    case 'text':
      return { path, unified: diff.unified, added: diff.added, removed: diff.removed };
    case 'binary':
      return { path, binary: true, beforeBytes: diff.beforeBytes, afterBytes: diff.afterBytes };
    case 'none':
      return { path, reason: diff.reason };
  }
}
