/** The IPC table: every channel, the strict schema of what the window may send, and the type of what it gets back. */

import { z } from 'zod';
import type {
  AgentDescription,
  AppState,
  DetectedAgents,
  ModelList,
  ProviderTest,
  WorkspaceInfo,
  WorkspaceOpening,
} from './app-state.ts';
import type { ErrorInfo } from './errors.ts';
import type { EntrySummary, PruneReport, StoreStats, VerifyReport } from './history.ts';
import {
  asMessageId,
  asPlanId,
  asTurnNumber,
  asWorkspaceId,
  type RelPath,
  type TurnNumber,
  type WorkspaceId,
} from './ids.ts';
import { parseRelPath } from './rel-path.ts';
import type { Plan, RewindReport } from './rewind.ts';
import type { SessionSnapshot, TurnDiff } from './session.ts';
import {
  externalAgentSchema,
  permissionModeSchema,
  providerSchema,
  type Settings,
  settingsPatchSchema,
} from './settings.ts';
import type { ChatMessage, SessionEvent } from './transcript.ts';

const workspaceId = z.string().min(1).max(64).transform(asWorkspaceId);
const turnNumber = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).transform(asTurnNumber);
const turnOrLast = z.union([turnNumber, z.literal('last')]);
const relPath = z
  .string()
  .min(1)
  .max(4096)
  .transform((text, context): RelPath => {
    try {
      return parseRelPath(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'bad path' });
      return z.NEVER;
    }
  });
const paths = z.array(relPath).max(10_000);
const planId = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform(asPlanId);
const conflictPolicy = z.enum(['overwrite', 'keep', 'abort']);
const choices = z.record(z.string().max(4096), z.enum(['go-back', 'keep-mine']));
const scope = z.enum(['files-and-chat', 'files-only', 'chat-only']);

/** Longest message a person can send, in UTF-16 units. */
export const MAX_PROMPT_LENGTH = 1_000_000;

interface Channel<Input extends z.ZodType, Output> {
  readonly input: Input;
  /** Only a type: answers come from the main process, which is trusted. */
  readonly output?: Output;
}

function channel<Output>() {
  return <Input extends z.ZodType>(input: Input): Channel<Input, Output> => ({ input });
}

const nothing = z.strictObject({});
const inWorkspace = z.strictObject({ workspaceId });

export const ipcTable = {
  'app:state': channel<AppState>()(nothing),
  'app:update-settings': channel<Settings>()(z.strictObject({ patch: settingsPatchSchema })),
  'app:open-link': channel<boolean>()(z.strictObject({ url: z.string().max(4096), fromAgent: z.boolean() })),

  'workspace:open-dialog': channel<WorkspaceOpening>()(nothing),
  'workspace:open-recent': channel<WorkspaceOpening>()(z.strictObject({ recentId: z.string().max(64) })),
  'workspace:forget-recent': channel<AppState>()(z.strictObject({ recentId: z.string().max(64) })),
  /** Answers the question about a history that this installation has not made. */
  'workspace:answer-trust': channel<WorkspaceOpening>()(
    z.strictObject({ openingId: z.string().max(64), choice: z.enum(['use', 'set-aside', 'cancel']) }),
  ),
  'workspace:close': channel<null>()(inWorkspace),

  'session:snapshot': channel<SessionSnapshot>()(inWorkspace),
  'session:send': channel<{ turn: TurnNumber }>()(
    z.strictObject({
      workspaceId,
      text: z.string().min(1).max(MAX_PROMPT_LENGTH),
      agentId: z.string().min(1).max(64),
      mode: permissionModeSchema,
    }),
  ),
  'session:stop': channel<null>()(inWorkspace),
  'session:answer-approval': channel<null>()(
    z.strictObject({
      workspaceId,
      approvalId: z.string().max(64),
      choice: z.enum(['allow-once', 'allow-for-chat', 'deny']),
    }),
  ),
  'session:stop-progress': channel<null>()(z.strictObject({ workspaceId, progressId: z.string().max(64) })),
  'session:branches': channel<ChatMessage[]>()(inWorkspace),
  'session:branch': channel<ChatMessage[]>()(
    z.strictObject({ workspaceId, head: z.number().int().min(1).transform(asMessageId) }),
  ),

  'history:list': channel<EntrySummary[]>()(
    z.strictObject({
      workspaceId,
      before: turnNumber.optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
  ),
  'history:diff': channel<TurnDiff[]>()(
    z.strictObject({ workspaceId, turn: turnOrLast, path: relPath.optional() }),
  ),

  'rewind:plan': channel<Plan>()(z.strictObject({ workspaceId, turn: turnOrLast, paths: paths.optional() })),
  'rewind:plan-redo': channel<Plan>()(inWorkspace),
  'rewind:preview': channel<TurnDiff>()(z.strictObject({ workspaceId, turn: turnNumber, path: relPath })),
  'rewind:apply': channel<RewindReport>()(
    z.strictObject({
      workspaceId,
      turn: turnNumber,
      paths: paths.optional(),
      planId,
      scope,
      conflicts: conflictPolicy,
      choices: choices.optional(),
    }),
  ),
  'rewind:redo': channel<RewindReport>()(
    z.strictObject({
      workspaceId,
      planId: planId.optional(),
      conflicts: conflictPolicy,
      choices: choices.optional(),
    }),
  ),

  'store:verify': channel<VerifyReport>()(inWorkspace),
  'store:stats': channel<StoreStats>()(inWorkspace),
  'store:prune': channel<PruneReport>()(
    z.strictObject({
      workspaceId,
      keepTurns: z.number().int().min(0).optional(),
      maxBytes: z.number().int().min(0).optional(),
      dryRun: z.boolean().optional(),
    }),
  ),
  'store:forget': channel<null>()(inWorkspace),

  'agents:list': channel<AgentDescription[]>()(nothing),
  'agents:detect': channel<DetectedAgents>()(nothing),
  /** The key goes one way: in. No channel gives it back. */
  'agents:save-provider': channel<AgentDescription[]>()(
    z.strictObject({ provider: providerSchema, key: z.string().max(10_000).optional() }),
  ),
  'agents:save-external': channel<AgentDescription[]>()(z.strictObject({ agent: externalAgentSchema })),
  'agents:remove': channel<AgentDescription[]>()(z.strictObject({ id: z.string().max(64) })),
  'agents:models': channel<ModelList>()(
    z.strictObject({
      provider: providerSchema.partial({ model: true }),
      key: z.string().max(10_000).optional(),
    }),
  ),
  'agents:test': channel<ProviderTest>()(
    z.strictObject({ provider: providerSchema, key: z.string().max(10_000).optional() }),
  ),
} as const;

export type IpcTable = typeof ipcTable;
export type IpcChannel = keyof IpcTable;
/** What the window passes. */
export type IpcRequest<C extends IpcChannel> = z.input<IpcTable[C]['input']>;
/** What a handler gets after the schema. */
export type IpcInput<C extends IpcChannel> = z.output<IpcTable[C]['input']>;
export type IpcOutput<C extends IpcChannel> =
  | NonNullable<IpcTable[C]['output']>
  | Extract<IpcTable[C]['output'], null>;

/** What the main process pushes to a window, on IPC_EVENT_CHANNEL. */
export type AppEvent =
  | { readonly type: 'session'; readonly workspaceId: WorkspaceId; readonly event: SessionEvent }
  | { readonly type: 'app-state-changed'; readonly state: AppState }
  | { readonly type: 'workspace-opened'; readonly opening: WorkspaceOpening }
  /** A folder that was named outside of the window (command line, menu) could not be opened. */
  | { readonly type: 'workspace-failed'; readonly error: ErrorInfo }
  | { readonly type: 'menu'; readonly command: 'open-folder' | 'settings' | 'rewind' | 'toggle-history' };

/** What the preload script puts on `window.rewind`. */
export interface Bridge {
  /** The answer is the JSON text of a `Result<IpcOutput<C>>`. */
  invoke<C extends IpcChannel>(channel: C, request: IpcRequest<C>): Promise<string>;
  /** Returns the unsubscribe function. */
  onEvent(listener: (event: AppEvent) => void): () => void;
}

export type { WorkspaceInfo };
