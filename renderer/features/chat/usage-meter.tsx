/** How full the model's context is, with tokens and cost on hover. */

import type { UsageSummary } from '../../../shared/transcript.ts';
import { useSession } from '../../state/session-store.ts';
import { Hint } from '../../ui/hint.tsx';

export function UsageMeter() {
  const usage = useSession(({ view }) => view?.usage ?? null);
  if (usage === null) return null;
  return (
    <Hint text={detailsOf(usage)}>
      <button type="button" className="usage">
        {summaryOf(usage)}
      </button>
    </Hint>
  );
}

function summaryOf({ contextTokens, contextWindow, inputTokens, outputTokens }: UsageSummary): string {
  if (contextTokens !== null && contextWindow !== null && contextWindow > 0)
    return `${Math.round((contextTokens / contextWindow) * 100)}% of context`;
  return `${(inputTokens + outputTokens).toLocaleString()} tokens`;
}

function detailsOf({
  inputTokens,
  outputTokens,
  contextTokens,
  contextWindow,
  costUsd,
}: UsageSummary): string {
  const parts = [`${inputTokens.toLocaleString()} tokens in, ${outputTokens.toLocaleString()} out`];
  if (contextTokens !== null && contextWindow !== null)
    parts.push(`context ${contextTokens.toLocaleString()} of ${contextWindow.toLocaleString()}`);
  if (costUsd !== null) parts.push(`about $${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`);
  return parts.join(' · ');
}
