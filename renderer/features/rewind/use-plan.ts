/** Fetches what a rewind would change, again whenever the choice of turn changes or the plan went stale. */

import { useCallback, useEffect, useState } from 'react';
import type { TurnNumber } from '../../../shared/ids.ts';
import type { Plan } from '../../../shared/rewind.ts';
import { call, messageOf } from '../../api/client.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';

export type PlanState =
  | { readonly status: 'none' }
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly plan: Plan }
  | { readonly status: 'failed'; readonly message: string };

/** Walking through the list with the arrows asks only for the turn where the person stops. */
const SETTLE_MS = 100;

interface PlanQuestion {
  readonly kind: 'rewind' | 'redo';
  readonly turn: TurnNumber | null;
  readonly paths: readonly string[] | undefined;
  /** Nothing is asked while a turn runs: the main process would refuse. */
  readonly paused: boolean;
}

export function usePlan({ kind, turn, paths, paused }: PlanQuestion): { state: PlanState; refresh(): void } {
  const [state, setState] = useState<PlanState>({ status: 'none' });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    if (turn === null || paused) {
      setState({ status: 'none' });
      return;
    }
    let wanted = true;
    setState({ status: 'loading' });
    const timer = window.setTimeout(() => {
      const workspaceId = currentWorkspaceId();
      const asked =
        kind === 'redo'
          ? call('rewind:plan-redo', { workspaceId })
          : call('rewind:plan', { workspaceId, turn, ...(paths === undefined ? {} : { paths: [...paths] }) });
      asked
        .then((plan) => wanted && setState({ status: 'ready', plan }))
        .catch((error: unknown) => wanted && setState({ status: 'failed', message: messageOf(error) }));
    }, SETTLE_MS);
    return () => {
      wanted = false;
      window.clearTimeout(timer);
    };
  }, [kind, turn, paths, paused, round]);

  return { state, refresh: useCallback(() => setRound((count) => count + 1), []) };
}
