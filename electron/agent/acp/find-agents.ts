/** Finds external agents that are installed: programs on PATH, by name. Nothing is started and nothing is fetched. */

import type { DetectedAgents } from '../../../shared/app-state.ts';
import { findProgram } from './find-program.ts';

type InstalledAgent = DetectedAgents['installedAgents'][number];

interface KnownAgent {
  readonly name: string;
  /** All of these must be on PATH. */
  readonly programs: readonly string[];
  readonly command: readonly string[];
}

/** An agent that speaks the protocol itself comes before the adapter that npx would fetch for it when it is first used. */
const KNOWN: readonly KnownAgent[] = [
  { name: 'OpenCode', programs: ['opencode'], command: ['opencode', 'acp'] },
  { name: 'Gemini CLI', programs: ['gemini'], command: ['gemini', '--acp'] },
  { name: 'Qwen Code', programs: ['qwen'], command: ['qwen', '--acp'] },
  { name: 'GitHub Copilot', programs: ['copilot'], command: ['copilot', '--acp'] },
  { name: 'Cline', programs: ['cline'], command: ['cline', '--acp'] },
  { name: 'Codex', programs: ['codex-acp'], command: ['codex-acp'] },
  { name: 'Codex', programs: ['codex', 'npx'], command: ['npx', '-y', '@zed-industries/codex-acp'] },
  { name: 'Claude Code', programs: ['claude-code-acp'], command: ['claude-code-acp'] },
  {
    name: 'Claude Code',
    programs: ['claude', 'npx'],
    command: ['npx', '-y', '@zed-industries/claude-code-acp'],
  },
];

export async function findInstalledAgents(
  environment: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<InstalledAgent[]> {
  const isInstalled = async (program: string): Promise<boolean> =>
    (await findProgram(program, environment, platform)) !== null;
  const installed: InstalledAgent[] = [];
  for (const { name, programs, command } of KNOWN) {
    if (installed.some((agent) => agent.name === name)) continue;
    if ((await Promise.all(programs.map(isInstalled))).every(Boolean)) installed.push({ name, command });
  }
  return installed;
}
