// Starts other programs, quietly or with their output shown.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project.mjs';

/**
 * @typedef {object} ProgramOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs]
 */

/**
 * Runs a program to its end and keeps what it prints.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ProgramOptions} [options]
 * @returns {Promise<{code: number, stdout: string, output: string}>} `output` is stdout and stderr in order
 */
export function runQuietly(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? projectRoot,
      env: options.env ?? process.env,
      timeout: options.timeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', (error) => resolve({ code: 127, stdout, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, output }));
  });
}

/**
 * Runs a program whose output the person sees; a signal to us ends it too.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ProgramOptions & {stdoutToStderr?: boolean}} [options]
 * @returns {Promise<number>} its exit code
 */
export function runVisibly(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? projectRoot,
      env: options.env ?? process.env,
      stdio: ['inherit', options.stdoutToStderr ? 2 : 'inherit', 'inherit'],
    });
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward);
    const done = () => process.off('SIGINT', forward).off('SIGTERM', forward).off('SIGHUP', forward);
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/**
 * @param {readonly string[]} args
 * @returns {[string, string[]]} the program and arguments that run npm itself
 */
export function npmCommand(args) {
  const cli = npmCliFile();
  return cli ? [process.execPath, [cli, ...args]] : ['npm', [...args]];
}

/** On Windows npm is a batch file that cannot be spawned directly; its JavaScript file can. */
function npmCliFile() {
  const beside = path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return [process.env.npm_execpath, beside].find((file) => file?.endsWith('npm-cli.js') && existsSync(file));
}

/** @param {string} name @returns {boolean} whether a program of this name is on the PATH */
export function isOnPath(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

/** @param {string} text @param {number} [count] */
export function lastLines(text, count = 25) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
