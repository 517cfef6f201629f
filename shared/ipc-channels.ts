/** The names of the IPC channels, without their schemas: the sandboxed preload script needs no more than these. */

import type { IpcChannel } from './ipc.ts';

/** Main to window, pushed. */
export const IPC_EVENT_CHANNEL = 'app:event';

/** A record, so that the compiler refuses a missing and an unknown name. */
const named: Record<IpcChannel, true> = {
  'app:state': true,
  'app:update-settings': true,
  'app:open-link': true,
  'workspace:open-dialog': true,
  'workspace:open-recent': true,
  'workspace:forget-recent': true,
  'workspace:answer-trust': true,
  'workspace:close': true,
  'session:snapshot': true,
  'session:send': true,
  'session:stop': true,
  'session:answer-approval': true,
  'session:stop-progress': true,
  'session:branches': true,
  'session:branch': true,
  'history:list': true,
  'history:diff': true,
  'rewind:plan': true,
  'rewind:plan-redo': true,
  'rewind:preview': true,
  'rewind:apply': true,
  'rewind:redo': true,
  'store:verify': true,
  'store:stats': true,
  'store:prune': true,
  'store:forget': true,
  'agents:list': true,
  'agents:detect': true,
  'agents:save-provider': true,
  'agents:save-external': true,
  'agents:remove': true,
  'agents:models': true,
  'agents:test': true,
};

export const IPC_CHANNELS: ReadonlySet<string> = new Set(Object.keys(named));
