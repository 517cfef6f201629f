/** Questions to the person before a write or a command, and what was allowed for the rest of the chat. */

import type { ApprovalChoice, ApprovalRequest, SessionEvent } from '../../shared/transcript.ts';

export class Approvals {
  readonly #emit: (event: SessionEvent) => void;
  readonly #pending = new Map<
    string,
    { request: ApprovalRequest; answer: (choice: ApprovalChoice) => void }
  >();
  readonly #allowed = new Set<string>();
  #count = 0;

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit;
  }

  /**
   * Resolves with the person's answer; Stop counts as no. `scope` is what "Allow for this chat" covers: whatever is asked
   * with the same scope again is allowed without a question.
   */
  async ask(
    question: Omit<ApprovalRequest, 'approvalId'>,
    scope: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#allowed.has(scope)) return true;
    this.#count += 1;
    const approvalId = `approval-${this.#count}`;
    const request: ApprovalRequest = { approvalId, ...question };
    const choice = await new Promise<ApprovalChoice>((resolve) => {
      const deny = (): void => resolve('deny');
      signal.addEventListener('abort', deny, { once: true });
      this.#pending.set(approvalId, {
        request,
        answer: (answer) => {
          signal.removeEventListener('abort', deny);
          resolve(answer);
        },
      });
      this.#emit({ type: 'approval-requested', request });
    });
    this.#pending.delete(approvalId);
    this.#emit({ type: 'approval-resolved', approvalId });
    if (choice === 'allow-for-chat') this.#allowed.add(scope);
    return choice !== 'deny';
  }

  /** An id that is no longer open is ignored: two windows' clicks may cross. */
  answer(approvalId: string, choice: ApprovalChoice): void {
    this.#pending.get(approvalId)?.answer(choice);
  }

  list(): ApprovalRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  /** The chat went elsewhere: what was allowed in it is not allowed there. */
  forgetAllowed(): void {
    this.#allowed.clear();
  }
}
