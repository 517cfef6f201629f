/** What the headless face prints for people, when no JSON is asked for. */

import type { EntrySummary, PruneReport, StoreStats, VerifyReport } from '../../shared/history.ts';
import type { Plan, RewindReport } from '../../shared/rewind.ts';
import type { TurnDiff } from '../../shared/session.ts';
import type { TurnResult } from '../session/types.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const lines = (...parts: readonly (string | readonly string[])[]): string =>
  parts
    .flat()
    .map((line) => `${line}\n`)
    .join('');

const labelled = (label: string, texts: readonly string[]): string[] =>
  texts.map((text) => `  ${label.padEnd(10)}${text}`);

export function chatWords(result: TurnResult): string {
  const ending = {
    done: `Turn ${result.turn} is done`,
    failed: `Turn ${result.turn} failed in part`,
    stopped: `Turn ${result.turn} was stopped`,
  }[result.status];
  return lines(
    result.text === '' ? [] : [result.text, ''],
    `${ending}: ${result.files.length === 0 ? 'no file changed' : `${counted(result.files.length, 'file')} changed`}.`,
    result.files.map(({ path, change }) => `  ${change.padEnd(10)}${path}`),
    result.notCovered.length === 0 ? [] : ['A rewind does not cover:'],
    result.notCovered.map(({ path, reason }) => `  ${path} (${reason})`),
  );
}

export function turnsWords(entries: readonly EntrySummary[]): string {
  if (entries.length === 0) return 'No turns yet.\n';
  const width = String(entries[0]?.turn ?? 1).length;
  return lines(
    entries.map((entry) => {
      const changed = entry.captures.filter(({ change }) => change !== null).length;
      const when = new Date(entry.atMs).toISOString().slice(0, 16).replace('T', ' ');
      const state = entry.status === 'rewound' ? 'rewound' : entry.outcome;
      return `${String(entry.turn).padStart(width)}  ${when}  ${state.padEnd(11)}  ${counted(changed, 'file').padEnd(9)}  ${entry.label}`;
    }),
  );
}

export function planWords(plan: Plan): string {
  const what =
    plan.kind === 'redo' ? `undo rewind ${plan.turn}` : `go back to right before turn ${plan.turn}`;
  return lines(
    `To ${what}:`,
    plan.items.map(({ path, verdict, action, reason, marks }) => {
      const act = action === 'none' ? 'leave' : action;
      const why = [reason, ...marks].filter((part) => part !== undefined).join('; ');
      return `  ${verdict.padEnd(9)} ${act.padEnd(7)} ${path}${why === '' ? '' : ` (${why})`}`;
    }),
    plan.items.length === 0 ? ['  nothing to do'] : [],
    plan.notCovered.map(({ path, reason }) => `  not covered: ${path} (${reason})`),
    plan.notes.map((note) => `  note: ${note}`),
    `Plan ${plan.planId}`,
  );
}

export function reportWords(report: RewindReport): string {
  const complete = report.failed.length === 0 && report.notDone.length === 0;
  const place =
    report.kind === 'redo'
      ? `Rewind ${report.turn} is undone`
      : `The folder is as it was right before turn ${report.turn}`;
  const incomplete =
    report.kind === 'redo'
      ? `Rewind ${report.turn} is undone only in part`
      : `The folder went back to right before turn ${report.turn} only in part`;
  const opening =
    report.rewind === null
      ? 'Nothing was changed; this is what would happen:'
      : `${complete ? place : incomplete}.`;
  return lines(
    opening,
    labelled('restored', report.restored),
    labelled('deleted', report.deleted),
    labelled('kept', report.kept),
    labelled(
      'failed',
      report.failed.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    labelled('not done', report.notDone),
    report.rewind !== null && report.kind === 'rewind' ? ['`redo` brings the changes back.'] : [],
  );
}

export const diffWords = (diffs: readonly TurnDiff[]): string => diffs.map(oneDiffWords).join('');

function oneDiffWords(diff: TurnDiff): string {
  switch (diff.kind) {
    case 'text':
      return diff.unified.endsWith('\n') ? diff.unified : `${diff.unified}\n`;
    case 'binary':
      return `Binary file ${diff.path}: ${sizeOf(diff.beforeBytes)} before, ${sizeOf(diff.afterBytes)} after\n`;
    case 'none':
      return `${diff.path}: ${diff.reason}\n`;
  }
}

const sizeOf = (bytes: number | null): string => (bytes === null ? 'nothing' : counted(bytes, 'byte'));

export const verifyWords = (report: VerifyReport): string =>
  lines(
    report.ok ? 'The history is whole.' : 'The history is damaged.',
    `  ${counted(report.turns, 'turn')}, ${counted(report.blobs, 'blob')}, ${counted(report.bytes, 'byte')}`,
    labelled('missing', report.missing),
    labelled('damaged', report.damaged),
    labelled('orphan', report.orphans),
  );

export const pruneWords = (report: PruneReport, dryRun: boolean): string =>
  `${dryRun ? 'Would remove' : 'Removed'} ${counted(report.turnsRemoved, 'turn')} and ${counted(report.blobsRemoved, 'blob')}, ${counted(report.bytesFreed, 'byte')}.\n`;

export const statsWords = (stats: StoreStats): string =>
  `${counted(stats.turns, 'turn')}, ${counted(stats.captures, 'capture')}, ${counted(stats.blobs, 'blob')}: ${stats.bytesLogical} bytes held in ${counted(stats.bytesOnDisk, 'byte')} on disk.\n`;

export const HELP = `osFoundry Rewind without a window.

  chat [--agent practice|model|acp] [--mode full|ask|read-only] MESSAGE
                                           one turn of the agent (- reads standard input)
      --agent model --provider KIND --model NAME [--base-url URL]   the key comes from its usual variable,
                                           or for any address from REWIND_API_KEY
      --agent acp --command "PROGRAM ARGUMENT..."                   an agent that speaks ACP
  turns [--limit N]                        the history, newest first
  diff --turn N [--path P]                 what a turn did
  plan --turn N [--path P]...              what going back would do
  rewind --turn N [--path P]... [--conflicts overwrite|keep|abort] [--plan PLANID] [--dry-run]
                                           puts the folder back to right before turn N
  redo                                     undoes the last rewind
  verify                                   checks every byte of the history
  prune [--keep-turns N] [--max-bytes B] [--dry-run]
  stats                                    the size of the history

Every command takes --folder DIR (default: the current one) and --json (one JSON document on standard output).
--turn last is the newest turn that is not undone. Exit code: 0 done, 1 failed or done in part, 2 usage.
`;
