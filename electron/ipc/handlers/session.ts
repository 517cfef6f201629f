/** Handlers of the chat of a folder. */

import type { HandlersOf } from '../handlers.ts';

export const sessionHandlers: HandlersOf<'session'> = {
  'session:snapshot': (_input, { session }) => session.snapshot(),
  // Answers as soon as the turn is durable; how it goes on reaches the window as events.
  'session:send': ({ text, agentId, mode }, { session }) =>
    new Promise((resolve, reject) => {
      session.send(text, { agentId, mode }, (turn) => resolve({ turn })).catch(reject);
    }),
  'session:stop': async (_input, { session }) => {
    await session.stop();
    return null;
  },
  'session:answer-approval': ({ approvalId, choice }, { session }) => {
    session.answerApproval(approvalId, choice);
    return null;
  },
  'session:stop-progress': ({ progressId }, { session }) => {
    session.stopProgress(progressId);
    return null;
  },
  'session:branches': (_input, { session }) => session.branches(),
  'session:branch': ({ head }, { session }) => session.branch(head),
};
