/** Changes of many paths as one call: all are committed before the first is touched, and what did not happen is said so. */

import type { FileState } from '../../../shared/file-state.ts';
import type { CaptureSink } from '../capture-sink.ts';
import { type FunnelContext, hold, type Outcome, type Target } from './change.ts';

export interface Intended {
  readonly target: Target;
  readonly intent: FileState;
}

/** How many at a time: the store syncs what comes together in groups. */
const AT_ONCE = 16;

/** Commits every before-state. When one fails, none is left open and nothing was touched. */
export async function intendAll(
  context: FunnelContext,
  sink: CaptureSink,
  changes: readonly Intended[],
): Promise<void> {
  const intended: Target[] = [];
  for (let start = 0; start < changes.length; start += AT_ONCE) {
    const results = await Promise.allSettled(
      changes.slice(start, start + AT_ONCE).map(async ({ target, intent }) => {
        await hold(context, sink, target);
        await sink.intend(target.path, target.before.state, intent, null);
        intended.push(target);
      }),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) {
      await abandonAll(sink, intended);
      throw failure.reason;
    }
  }
}

export async function applyAll(
  sink: CaptureSink,
  done: readonly (Outcome & { readonly target: Target })[],
): Promise<void> {
  for (let start = 0; start < done.length; start += AT_ONCE) {
    await Promise.all(
      done
        .slice(start, start + AT_ONCE)
        .map(({ target, post, marks }) => sink.applied(target.path, post, marks)),
    );
  }
}

export async function abandonAll(sink: CaptureSink, targets: readonly Target[]): Promise<void> {
  for (const { path } of targets) {
    // The failure that led here is the one to tell; a capture that stays open is settled by recovery.
    await sink.abandoned(path).catch(() => undefined);
  }
}
