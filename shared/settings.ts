/** What a person can set, as one schema with its defaults; kept in the app's own data, never in the folder. */

import { z } from 'zod';
import { DEFAULT_MAX_FILE_BYTES } from './file-state.ts';

export const providerKinds = ['anthropic', 'openai', 'google', 'openai-compatible', 'ollama'] as const;

export const providerSchema = z.strictObject({
  id: z.string().min(1).max(64),
  kind: z.enum(providerKinds),
  name: z.string().min(1).max(80),
  /** Needed for openai-compatible; elsewhere it replaces the provider's own address. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  model: z.string().min(1).max(200),
  /** Model's window in tokens, for the context meter and compaction. */
  contextWindow: z.number().int().min(1000).max(10_000_000).optional(),
});
export type Provider = z.infer<typeof providerSchema>;

export const externalAgentSchema = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(80),
  /** Program and arguments, no shell. */
  command: z.array(z.string().max(2000)).min(1).max(50),
});
export type ExternalAgent = z.infer<typeof externalAgentSchema>;

export const permissionModeSchema = z.enum(['ask', 'full', 'read-only']);

export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  agentId: z.string().max(64).default('practice'),
  permissionMode: permissionModeSchema.default('ask'),
  maxFileBytes: z
    .number()
    .int()
    .min(0)
    .max(1024 ** 3)
    .default(DEFAULT_MAX_FILE_BYTES),
  durability: z.enum(['full', 'process']).default('full'),
  baselineMaxFiles: z.number().int().min(0).max(10_000_000).default(200_000),
  baselineMaxBytes: z
    .number()
    .int()
    .min(0)
    .max(1024 ** 4)
    .default(2 * 1024 ** 3),
  /** Names of folders that the baseline leaves out; null means the built-in list. */
  leftOutFolders: z.array(z.string().min(1).max(255)).max(500).nullable().default(null),
  /** Per folder (by its real path) additions and exceptions; here and not in the folder, so that a cloned folder can't switch coverage off. */
  folderOverrides: z
    .record(
      z.string(),
      z.strictObject({ leaveOut: z.array(z.string()).default([]), include: z.array(z.string()).default([]) }),
    )
    .default({}),
  allowHomeFolder: z.boolean().default(false),
  providers: z.array(providerSchema).max(50).default([]),
  externalAgents: z.array(externalAgentSchema).max(50).default([]),
  stepLimit: z.number().int().min(1).max(1000).default(50),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
