/** Fails every call of every operation of the funnel, once or from there on: each path is old or new, and the captures are right. */

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clearLeftovers, isTempName, openWorkspace } from '../../electron/workspace/index.ts';
import { AppError } from '../../shared/errors.ts';
import { ABSENT, type FileState } from '../../shared/file-state.ts';
import { PlantedFault } from '../helpers/faulty-file-system.ts';
import { funnelOn } from '../helpers/funnel.ts';
import { OPERATIONS, type Operation, prepareFolder } from '../helpers/funnel-operations.ts';
import type { MemorySink } from '../helpers/memory-sink.ts';
import { readTree, type Tree } from '../property/tree.ts';

/** Once, and for good: a failing disk fails the repair, too. */
const FAULTS = [
  { code: 'ENOSPC', lasts: false },
  { code: 'EIO', lasts: false },
  { code: 'EIO', lasts: true },
  { code: 'EACCES', lasts: false },
  { code: 'EMFILE', lasts: false },
];
const base = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'faults-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let cases = 0;
afterAll(() => console.log(`${cases} failed calls of the funnel`));

interface Outcome {
  readonly before: Tree;
  readonly after: Tree;
  readonly error: unknown;
  readonly fault: PlantedFault;
  readonly sink: MemorySink;
  /** What is left after recovery, by the captures that were open. */
  readonly recovered: Tree;
}

/** `sinkCall`: the number of the call of the sink that fails. */
async function runWith(operation: Operation, fault: PlantedFault, sinkCall?: number): Promise<Outcome> {
  const root = mkdtempSync(join(base, 'f-'));
  prepareFolder(root, operation);
  const before = readTree(root);
  const { sink, funnel, workspace } = await funnelOn(root, { onCall: fault.onCall });
  sink.onCall = () => {
    if (sink.log.length - 1 === sinkCall) throw new AppError('disk-full', 'The history is full.');
  };
  const error: unknown = await operation.run(funnel, sink).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const after = readTree(root);
  const disk = await openWorkspace(root);
  for (const path of sink.open()) {
    await clearLeftovers({ ...workspace, fs: disk.fs }, { path, ...sink.captures.get(path)! });
  }
  const recovered = readTree(root);
  rmSync(root, { recursive: true });
  return { before, after, error, fault, sink, recovered };
}

const stateAt = (tree: Tree, path: string): FileState => tree.get(path) ?? ABSENT;

/** `whole`: how the folder is when nothing fails. */
function check(
  { before, after, error, sink: { captures }, recovered }: Outcome,
  whole: Tree,
  shown: string,
): void {
  // A file with several names that may not be written is replaced (F14): its other name keeps the old content then.
  const isSeparated = captures.get('shared')?.marks.includes(SEPARATED) === true;
  const wanted = isSeparated
    ? new Map([...whole, ['other-name', stateAt(before, 'other-name')] as const])
    : whole;
  if (error === null) expect(withoutTemps(after), shown).toEqual(wanted);
  else {
    expect(error, shown).toBeInstanceOf(AppError);
    expect(['disk-full', 'io-failed'], `${shown}: ${String(error)}`).toContain((error as AppError).code);
    expect((error as AppError).message, shown).toMatch(/^\S.* .*\.$/s);
  }
  const named = new Set([...captures.values()].map(({ temp }) => temp));
  for (const name of namesOf(after).filter(isTempName))
    expect(named, `${shown}: ${name} is named`).toContain(name);
  for (const path of new Set([...before.keys(), ...recovered.keys(), ...wanted.keys()])) {
    const present = stateAt(recovered, path);
    const [old, fresh] = [stateAt(before, path), stateAt(wanted, path)];
    expect([old, fresh], `${shown}: ${path} is old or new`).toContainEqual(present);
    const capture = captures.get(path);
    if (capture !== undefined) {
      // What can't be read is told as such, and only its mode can have been changed.
      if (capture.pre.kind === 'skipped') expect(capture.pre.reason, shown).toMatch(/permission denied/);
      else expect(capture.pre, `${shown}: before-state of ${path}`).toEqual(old);
      if (capture.post !== null && capture.post.kind !== 'skipped')
        expect(capture.post, `${shown}: after-state of ${path}`).toEqual(present);
      // The other name of a file that is written in place has no capture of its own.
    } else if (path !== 'other-name') expect(present, `${shown}: ${path} has a capture`).toEqual(old);
  }
}

const SEPARATED = 'hard link: this name no longer shares its content with the others';

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';
const namesOf = (tree: Tree): string[] => [...tree.keys()].map(nameOf);
const withoutTemps = (tree: Tree): Tree => new Map([...tree].filter(([path]) => !isTempName(nameOf(path))));

describe('F9 a call that fails', () => {
  const never = (): PlantedFault => new PlantedFault(Number.POSITIVE_INFINITY, 'none');

  it.each(OPERATIONS)('F9 $name', { timeout: 300_000 }, async (operation) => {
    const undisturbed = await runWith(operation, never());
    expect(undisturbed.error).toBeNull();
    const whole = undisturbed.after;
    expect(whole).not.toEqual(undisturbed.before);
    for (let at = 0; at < undisturbed.fault.calls.length; at += 1) {
      for (const { code, lasts } of FAULTS) {
        cases += 1;
        const outcome = await runWith(operation, new PlantedFault(at, code, lasts));
        const { name } = outcome.fault.calls[at]!;
        check(outcome, whole, `${operation.name}: ${code} ${lasts ? 'from' : 'at'} call ${at}, ${name}`);
      }
    }
    for (let at = 0; at < undisturbed.sink.log.length; at += 1) {
      cases += 1;
      const outcome = await runWith(operation, never(), at);
      check(outcome, whole, `${operation.name}: the history fails at ${undisturbed.sink.log[at]}`);
      expect(outcome.error).not.toBeNull();
    }
  });
});
