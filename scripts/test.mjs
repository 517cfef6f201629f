// Checks everything: `npm test`. Each step is counted, and the last line says how many checks passed and failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp } from './build.mjs';
import { withDisplay } from './display.mjs';
import { runScript, say } from './messages.mjs';
import { packageApp } from './package.mjs';
import { inProject } from './project.mjs';
import { runVisibly } from './run-program.mjs';
import { setUpForWindow } from './setup.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const results = mkdtempSync(path.join(tmpdir(), 'rewind-test-results-'));

/** @returns {[string, () => Promise<Count>][]} */
function steps() {
  return [
    ['Types', () => program('typescript/bin/tsc', '-b')],
    ['Lint', () => program('@biomejs/biome/bin/biome', 'check', '--error-on-warnings')],
    ['Lint with types', () => program('eslint/bin/eslint.js', '--max-warnings', '0', '.')],
    ['Unused code', () => program('knip/bin/knip.js')],
    ['Tests without a window', vitest],
    ['Building the app', () => work(() => buildApp())],
    ['Tests in the window', () => playwright('e2e')],
    ['Packaging the app', () => work(() => packageApp())],
    ['The packaged app', () => playwright('package')],
  ];
}

/** @param {string} file @param {...string} args @returns {Promise<Count>} */
async function program(file, ...args) {
  return one((await node(file, args)) === 0);
}

/** @param {() => Promise<unknown>} task @returns {Promise<Count>} */
async function work(task) {
  try {
    await task();
    return one(true);
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return one(false);
  }
}

/** @returns {Promise<Count>} */
async function vitest() {
  const report = path.join(results, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await node('vitest/vitest.mjs', args);
  return counted(code, report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }));
}

/** @param {string} folder below test/ @returns {Promise<Count>} */
async function playwright(folder) {
  const report = path.join(results, `${folder}.json`);
  const config = inProject('test', folder, 'playwright.config.ts');
  const code = await withDisplay((env) =>
    node('@playwright/test/cli.js', ['test', '--config', config, '--reporter=list,json'], {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    }),
  );
  return counted(code, report, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

/**
 * A run that broke off outside of any test, or without a report, is a failure too.
 * @param {number} code
 * @param {string} report
 * @param {(json: any) => Count} read
 * @returns {Count}
 */
function counted(code, report, read) {
  try {
    const count = read(JSON.parse(readFileSync(report, 'utf8')));
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } catch {
    say('The run left no report.');
    return one(false);
  }
}

/** @param {boolean} passed @returns {Count} */
const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/** @param {string} file in node_modules @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
const node = (file, args, env = process.env) =>
  runVisibly(process.execPath, [inProject('node_modules', ...file.split('/')), ...args], { env });

await runScript(async () => {
  await setUpForWindow();
  /** @type {Count} */
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const [name, step] of steps()) {
      say(`${name} …`);
      const count = await step();
      for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += count[key];
    }
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  process.stdout.write(
    `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
  );
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});
