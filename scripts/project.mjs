// Names the places of this checkout that several scripts share.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const projectRoot = path.dirname(import.meta.dirname);

/** Lives in node_modules, so that a fresh install also forgets what an older set-up has done. */
export const setupFolder = path.join(projectRoot, 'node_modules', '.osfoundry-setup');

/** @param {...string} parts */
export function inProject(...parts) {
  return path.join(projectRoot, ...parts);
}

/** @param {string} name @returns {string} the exact installed version of a package */
export function installedVersion(name) {
  return readJson(inProject('node_modules', name, 'package.json')).version;
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The folder in which the person typed the command; npm itself changes to the root of the project. */
export function callerFolder() {
  return process.env.INIT_CWD ?? process.cwd();
}
