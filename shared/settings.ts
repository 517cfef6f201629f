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
  /** The person's own prices in US dollars for a million tokens; without them no cost is shown. */
  pricePerMillionUsd: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
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

/** Without defaults: zod fills a default in even where the member is optional, and a patch must leave out what it leaves out. */
const fields = {
  theme: z.enum(['system', 'light', 'dark']),
  agentId: z.string().max(64),
  permissionMode: permissionModeSchema,
  maxFileBytes: z
    .number()
    .int()
    .min(0)
    .max(1024 ** 3),
  durability: z.enum(['full', 'process']),
  baselineMaxFiles: z.number().int().min(0).max(10_000_000),
  baselineMaxBytes: z
    .number()
    .int()
    .min(0)
    .max(1024 ** 4),
  /** Names of folders that the baseline leaves out; null means the built-in list. */
  leftOutFolders: z.array(z.string().min(1).max(255)).max(500).nullable(),
  /** Per folder (by its real path) additions and exceptions; here and not in the folder, so that a cloned folder can't switch coverage off. */
  folderOverrides: z.record(
    z.string(),
    z.strictObject({ leaveOut: z.array(z.string()).default([]), include: z.array(z.string()).default([]) }),
  ),
  allowHomeFolder: z.boolean(),
  providers: z.array(providerSchema).max(50),
  externalAgents: z.array(externalAgentSchema).max(50),
  stepLimit: z.number().int().min(1).max(1000),
};

export const settingsSchema = z.strictObject({
  theme: fields.theme.default('system'),
  agentId: fields.agentId.default('practice'),
  permissionMode: fields.permissionMode.default('ask'),
  maxFileBytes: fields.maxFileBytes.default(DEFAULT_MAX_FILE_BYTES),
  durability: fields.durability.default('full'),
  baselineMaxFiles: fields.baselineMaxFiles.default(200_000),
  baselineMaxBytes: fields.baselineMaxBytes.default(2 * 1024 ** 3),
  leftOutFolders: fields.leftOutFolders.default(null),
  folderOverrides: fields.folderOverrides.default({}),
  allowHomeFolder: fields.allowHomeFolder.default(false),
  providers: fields.providers.default([]),
  externalAgents: fields.externalAgents.default([]),
  stepLimit: fields.stepLimit.default(50),
});
/** Some settings: what is not there stays as it is. */
export const settingsPatchSchema = z.strictObject(fields).partial();
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
