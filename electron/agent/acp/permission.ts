/** Answers an agent's question for once only; "always" stays on our side. */

import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk';

/**
 * `allow_always` is never answered: it switches the gate off for the session, and with it the look at the folder that each question
 * brings. Where the agent offers no way to say it once, the question is answered as cancelled.
 */
export function permissionAnswer(
  options: readonly PermissionOption[],
  decision: 'allow' | 'deny',
): RequestPermissionResponse {
  const kind = decision === 'allow' ? 'allow_once' : 'reject_once';
  const option = options.find((candidate) => candidate.kind === kind);
  return {
    outcome:
      option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
  };
}
