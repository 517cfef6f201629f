/** Commands: what they may know, what comes back, and that nothing of them runs on, however they hide and however they end. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandRequest, runCommand } from '../../electron/workspace/index.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { isRunning, pidIn } from '../helpers/processes.ts';

const QUITTING_APP = join(import.meta.dirname, '..', 'helpers', 'quitting-app.ts');

let root: string;

beforeEach(async () => {
  root = await temporaryFolder();
});

const run = (command: string, more: Partial<CommandRequest> = {}) =>
  runCommand({ root, command, environment: process.env, ...more });

/** Writes a Node script into the folder, and gives the command that runs it. */
function script(text: string): string {
  writeFileSync(join(root, 'script.mjs'), text);
  return `'${process.execPath}' script.mjs`;
}

describe('what comes back', () => {
  it('a command runs in the folder and gives its exit code', async () => {
    expect(await run('pwd; exit 3')).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      stopped: false,
      output: `${root}\n`,
      truncated: false,
      durationMs: expect.any(Number),
    });
  });

  it('a command that ends itself by a signal gives the signal', async () => {
    expect(await run('kill -USR1 $$')).toMatchObject({ exitCode: null, signal: 'SIGUSR1' });
  });

  it('a program that is not there is said by the shell', async () => {
    const { exitCode, output } = await run('no-such-program-here');
    expect(exitCode).toBe(127);
    expect(output).toContain('no-such-program-here');
  });

  it('output and errors come in the order they were written', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => index);
    const { output } = await run(lines.map((n) => `echo ${n}${n % 2 === 0 ? '' : ' >&2'}`).join('\n'));
    expect(output).toBe(`${lines.join('\n')}\n`);
  });

  it('quotes, dollars and line ends of a command mean what they mean in a shell', async () => {
    const { output } = await run(`x='a "b" $c'\nprintf '%s|' "$x" \\\n  "it's"`);
    expect(output).toBe(`a "b" $c|it's|`);
  });

  it('nothing can be read from standard input', async () => {
    expect(await run('cat; echo end')).toMatchObject({ exitCode: 0, output: 'end\n' });
  });

  it('a character that comes in two pieces is one character', async () => {
    const heard: string[] = [];
    const { output } = await run(
      script(`
        const bytes = Buffer.from('a\u{1f600}ü');
        for (const byte of bytes) {
          process.stdout.write(Uint8Array.of(byte));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }`),
      { onOutput: (text) => heard.push(text) },
    );
    expect(output).toBe('a\u{1f600}ü');
    expect(heard.join('')).toBe(output);
  });

  it('bytes that are no text are marked, and lose nothing beside them', async () => {
    expect((await run(`printf 'a\\377b\\303'`)).output).toBe('a\ufffdb\ufffd');
  });

  it('of long output the beginning and the end are kept, and what is missing is counted', async () => {
    const heard: string[] = [];
    const { output, truncated } = await run('seq 1 100000', {
      mostOutputCharacters: 2000,
      onOutput: (text) => heard.push(text),
    });
    const all = `${Array.from({ length: 100_000 }, (_, index) => index + 1).join('\n')}\n`;
    expect(truncated).toBe(true);
    expect(output).toBe(
      `${all.slice(0, 1000)}\n… ${all.length - 2000} characters left out …\n${all.slice(-1000)}`,
    );
    expect(heard.join('')).toBe(all.slice(0, 1000));
  });

  it('a cut does not split a character', async () => {
    const { output } = await run(script(`process.stdout.write('\u{1f600}'.repeat(5000))`), {
      mostOutputCharacters: 1002,
    });
    expect(output).toMatch(/^\u{1f600}+\n… 8\d\d\d characters left out …\n\u{1f600}+$/u);
  });

  it('output as fast as it can come fills no memory and leaves the event loop free', async () => {
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 5);
    const before = process.memoryUsage().rss;
    const { output, truncated } = await run('yes "some words" | head -c 150000000');
    clearInterval(timer);
    expect(truncated).toBe(true);
    expect(output.length).toBeLessThan(70_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    // The machine may be busy with other tests; what is kept out is one block as long as the output.
    expect(longestMs).toBeLessThan(500);
  });

  it('a folder that is gone is said as such', async () => {
    await rm(root, { recursive: true });
    await expect(run('true')).rejects.toMatchObject({ code: 'folder-not-found' });
  });

  it('a command that is too long for the system is an error, not a crash', async () => {
    await expect(run(`: ${'x'.repeat(3_000_000)}`)).rejects.toMatchObject({ code: 'command-failed' });
  });
});

describe('what a command knows', () => {
  it('holds where programs are, and no key of the person', async () => {
    const environment = { ...process.env, OPENAI_API_KEY: 'secret-1', NODE_OPTIONS: '--no-warnings' };
    const { output } = await run('env', { environment });
    expect(output).toContain('PATH=');
    expect(output).not.toContain('secret-1');
    expect(output).not.toContain('NODE_OPTIONS');
  });
});

describe('the end of all that a command started', () => {
  const hidden: readonly [string, string][] = [
    ['in the background', 'sh -c "echo \\$\\$ > pid; exec sleep 1000" &'],
    ['with nohup', 'nohup sh -c "echo \\$\\$ > pid; exec sleep 1000" > /dev/null 2>&1 &'],
    ['in a session of its own', 'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" &'],
    ['after two forks', '(setsid sh -c "(echo \\$\\$ > pid; exec sleep 1000) &" &)'],
    ['without its environment', 'env -i /bin/sh -c "echo \\$\\$ > pid; exec sleep 1000" &'],
    ['deaf to SIGTERM', `sh -c "trap '' TERM; echo \\$\\$ > pid; sleep 1000; sleep 1000" &`],
  ];

  it.each(hidden)('what runs on %s is ended with the command', async (_, command) => {
    const { exitCode, durationMs } = await run(`${command}\nwhile [ ! -s pid ]; do :; done; echo done`);
    expect(exitCode).toBe(0);
    expect(durationMs).toBeLessThan(20_000);
    expect(isRunning(await pidIn(join(root, 'pid')))).toBe(false);
  });

  it.each(hidden)('Stop ends a command and what runs on %s', async (_, command) => {
    const stop = new AbortController();
    const running = run(`${command}\nsleep 1000`, { signal: stop.signal });
    const pid = await pidIn(join(root, 'pid'));
    stop.abort();
    expect(await running).toMatchObject({ stopped: true, timedOut: false, exitCode: null });
    expect(isRunning(pid)).toBe(false);
  });

  it('the time limit ends a command that is deaf to SIGTERM, with what it printed', async () => {
    const result = await run(`trap '' TERM; echo $$ > pid; echo begun; while :; do sleep 1; done`, {
      timeoutMs: 500,
    });
    expect(result).toMatchObject({ timedOut: true, stopped: false, signal: 'SIGKILL', output: 'begun\n' });
    expect(isRunning(await pidIn(join(root, 'pid')))).toBe(false);
  });

  it('a command may clean up when it is stopped', async () => {
    const stop = new AbortController();
    const running = run(`trap 'echo cleaned; exit 4' TERM; echo $$ > pid; while :; do sleep 0.05; done`, {
      signal: stop.signal,
    });
    await pidIn(join(root, 'pid'));
    stop.abort();
    expect(await running).toMatchObject({
      stopped: true,
      exitCode: 4,
      output: expect.stringContaining('cleaned'),
    });
  });

  it('a turn that was stopped before starts nothing that stays', async () => {
    const result = await run('sleep 1000', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ stopped: true });
  });

  it.each(hidden)('quitting the app ends what runs on %s', async (_, command) => {
    const app = spawn(process.execPath, ['--import', 'tsx', QUITTING_APP, root, `${command}\nsleep 1000`]);
    const quit = new Promise((resolve) => app.once('exit', resolve));
    const pid = await pidIn(join(root, 'pid'));
    app.stdin.end('quit');
    expect(await quit).toBe(0);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5000, interval: 10 });
  });

  it('a process that the system does not let us end is named, and waited for no longer', async () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    const { output, timedOut } = await run('exec sleep 1000', { timeoutMs: 100 });
    kill.mockRestore();
    expect(timedOut).toBe(true);
    const pid = Number(/may still change files: process (\d+)\./.exec(output)?.[1]);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});
