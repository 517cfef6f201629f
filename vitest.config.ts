// Two kinds of tests: those that run under Node, and those of components, which need a page.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    // The default leaves a core to whoever watches the files.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/{unit,spec,property,crash,security,integration,arch}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: { name: 'dom', environment: 'happy-dom', include: ['test/dom/**/*.test.tsx'] },
      },
    ],
  },
});
