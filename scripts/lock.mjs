// Lets one process at a time prepare the same thing; the others wait and then find it done.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STALE_WITHOUT_OWNER_MS = 10_000;

/**
 * @template T
 * @param {string} lockFolder is made while the work runs; its owner's process id is written inside
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lockFolder, work) {
  const ownerFile = path.join(lockFolder, 'owner');
  mkdirSync(path.dirname(lockFolder), { recursive: true });
  while (!tryMake(lockFolder)) {
    if (isAbandoned(lockFolder, ownerFile)) rmSync(lockFolder, { recursive: true, force: true });
    else await delay(200);
  }
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  process.on('exit', release);
  try {
    writeFileSync(ownerFile, String(process.pid));
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} folder */
function tryMake(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * A process that was killed cannot take its lock away; its id tells that it is gone.
 * @param {string} folder
 * @param {string} ownerFile
 */
function isAbandoned(folder, ownerFile) {
  try {
    process.kill(Number(readFileSync(ownerFile, 'utf8')), 0);
    return false;
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return true;
    if (errorCode(error) !== 'ENOENT') return false;
  }
  try {
    return Date.now() - statSync(folder).mtimeMs > STALE_WITHOUT_OWNER_MS;
  } catch {
    return false;
  }
}

/** @param {unknown} error */
function errorCode(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
