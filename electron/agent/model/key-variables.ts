/** Environment variables by which people keep keys: found by name; a value is read only when it is used. */

import type { DetectedAgents } from '../../../shared/app-state.ts';
import type { Provider } from '../../../shared/settings.ts';

type KeyVariable = DetectedAgents['keyVariables'][number];

const KNOWN: readonly KeyVariable[] = [
  { name: 'ANTHROPIC_API_KEY', kind: 'anthropic' },
  { name: 'OPENAI_API_KEY', kind: 'openai' },
  { name: 'GEMINI_API_KEY', kind: 'google' },
  { name: 'GOOGLE_GENERATIVE_AI_API_KEY', kind: 'google' },
  { name: 'OPENROUTER_API_KEY', kind: 'openai-compatible' },
];

const isSet = (environment: NodeJS.ProcessEnv, name: string): boolean => (environment[name] ?? '') !== '';

export const keyVariables = (environment: NodeJS.ProcessEnv): KeyVariable[] =>
  KNOWN.filter(({ name }) => isSet(environment, name));

/** The key for a provider that has none saved. A variable of one provider is never sent to the address of another. */
export function keyFromEnvironment(
  provider: Pick<Provider, 'kind' | 'baseUrl'>,
  environment: NodeJS.ProcessEnv,
): string | null {
  const fits = ({ name, kind }: KeyVariable): boolean =>
    name === 'OPENROUTER_API_KEY'
      ? isOpenRouter(provider)
      : kind === provider.kind && provider.baseUrl === undefined;
  const variable = KNOWN.find((candidate) => fits(candidate) && isSet(environment, candidate.name));
  return variable === undefined ? null : (environment[variable.name] ?? null);
}

function isOpenRouter({ kind, baseUrl }: Pick<Provider, 'kind' | 'baseUrl'>): boolean {
  return (
    kind === 'openai-compatible' &&
    baseUrl !== undefined &&
    URL.canParse(baseUrl) &&
    new URL(baseUrl).hostname === 'openrouter.ai'
  );
}
