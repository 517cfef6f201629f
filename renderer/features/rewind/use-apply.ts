/** Performs a rewind or its undo, and says what to do when it was refused. */

import { useState } from 'react';
import type { Plan, RestoreScope } from '../../../shared/rewind.ts';
import { ClientError, call, messageOf } from '../../api/client.ts';
import { focusComposer } from '../../lib/focus-composer.ts';
import { announce } from '../../state/announcer.ts';
import { currentWorkspaceId } from '../../state/session-store.ts';
import { useWindow } from '../../state/window-store.ts';
import { type Choices, choicesFor } from './plan-groups.ts';

interface ApplyRequest {
  readonly plan: Plan;
  readonly scope: RestoreScope;
  readonly choices: Choices;
  readonly paths: readonly string[] | undefined;
}

interface ApplyMessage {
  readonly level: 'warning' | 'error';
  readonly text: string;
}

interface UseApply {
  readonly applying: boolean;
  readonly message: ApplyMessage | null;
  apply(request: ApplyRequest): Promise<void>;
}

export function useApply({ onStale, onDone }: { onStale: () => void; onDone: () => void }): UseApply {
  const [applying, setApplying] = useState(false);
  const [message, setMessage] = useState<ApplyMessage | null>(null);

  const apply = async ({ plan, scope, choices, paths }: ApplyRequest) => {
    setApplying(true);
    setMessage(null);
    const common = {
      workspaceId: currentWorkspaceId(),
      planId: plan.planId,
      // Every conflict has its choice; one that nobody has seen must stop the rewind.
      conflicts: 'abort',
      choices: choicesFor(plan, choices),
    } as const;
    try {
      const report =
        plan.kind === 'redo'
          ? await call('rewind:redo', common)
          : await call('rewind:apply', {
              ...common,
              turn: plan.turn,
              scope,
              ...(paths === undefined ? {} : { paths: [...paths] }),
            });
      announce(
        `${plan.kind === 'redo' ? 'The rewind is undone' : `Rewound to before turn ${plan.turn}`}: ${report.restored.length} restored, ${report.deleted.length} deleted, ${report.failed.length} failed.`,
      );
      // The report stands in the conversation.
      useWindow.getState().showChanges(null);
      onDone();
      focusComposer();
    } catch (error) {
      const stale =
        error instanceof ClientError && (error.code === 'plan-stale' || error.code === 'conflicts');
      if (stale) onStale();
      setMessage(
        stale
          ? {
              level: 'warning',
              text: 'Files changed since you looked. Nothing was touched; this is the plan as it is now.',
            }
          : { level: 'error', text: messageOf(error) },
      );
    } finally {
      setApplying(false);
    }
  };

  return { applying, message, apply };
}
