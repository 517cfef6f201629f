// Opens the app that `npm run package` has made.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../../test-results/package',
  workers: 1,
  retries: 0,
  timeout: 90_000,
  forbidOnly: true,
  reporter: 'list',
});
