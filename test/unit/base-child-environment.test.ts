import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../electron/base/child-environment.ts';

describe('the environment of a child process', () => {
  it('holds what programs need to run', () => {
    const needed = {
      PATH: '/bin',
      HOME: '/home/person',
      LC_ALL: 'C.UTF-8',
      https_proxy: 'http://p:1',
      SystemRoot: 'C:\\Windows',
    };
    expect(childEnvironment(needed)).toEqual(needed);
  });

  it('holds no key, no token, and nothing that changes how Node or Electron start', () => {
    const secret = {
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      AWS_SECRET_ACCESS_KEY: 'k',
      GITHUB_TOKEN: 'k',
      NPM_TOKEN: 'k',
      DATABASE_URL: 'k',
      SSH_AUTH_SOCK: '/s',
      NODE_OPTIONS: '--require x',
      ELECTRON_RUN_AS_NODE: '1',
      LD_PRELOAD: 'x',
      MY_PATH: 'x',
    };
    expect(childEnvironment(secret)).toEqual({});
  });

  it('holds besides what one child is said to need', () => {
    const environment = { GEMINI_API_KEY: 'k', GOOGLE_CLOUD_PROJECT: 'p', OPENAI_API_KEY: 'k' };
    expect(childEnvironment(environment, ['GEMINI_', 'GOOGLE_'])).toEqual({
      GEMINI_API_KEY: 'k',
      GOOGLE_CLOUD_PROJECT: 'p',
    });
  });
});
