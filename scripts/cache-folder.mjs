// Keeps what is slow to get in the user's cache folder. An entry is made beside its place and then renamed, so a
// half-written one is never seen; it lists the hash of each of its files and is used only while they hold.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const MANIFEST = 'manifest.json';
const CONTENT = 'content';

/** @returns {string} the folder of this product below the user's cache folder */
export function cacheFolder() {
  return path.join(userCacheFolder(), 'osfoundry-rewind');
}

function userCacheFolder() {
  if (process.env.XDG_CACHE_HOME) return path.resolve(process.env.XDG_CACHE_HOME);
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches');
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) return process.env.LOCALAPPDATA;
  return path.join(os.homedir(), '.cache');
}

/** @param {string} name @returns {string} where the files of an entry are, once it is made */
export function cacheEntryFolder(name) {
  return path.join(cacheFolder(), name, CONTENT);
}

/**
 * Gives the folder with the files of an entry, which `make` fills first when the cache has no whole one.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} make
 * @returns {Promise<string>}
 */
export async function cacheEntry(name, make) {
  const entry = path.join(cacheFolder(), name);
  const content = cacheEntryFolder(name);
  if (await isWhole(entry)) return content;
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(path.join(cacheFolder(), '.draft-'));
  try {
    const draftContent = path.join(draft, CONTENT);
    mkdirSync(draftContent);
    await make(draftContent);
    writeFileSync(path.join(draft, MANIFEST), JSON.stringify(await hashFolder(draftContent), null, 1));
    rmSync(entry, { recursive: true, force: true });
    renameSync(draft, entry);
  } catch (error) {
    // Another process may have put the same entry there in the meantime; its work is as good as ours.
    if (!(await isWhole(entry))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return content;
}

/** @param {string} entry */
async function isWhole(entry) {
  const manifestFile = path.join(entry, MANIFEST);
  if (!existsSync(manifestFile)) return false;
  try {
    const expected = JSON.parse(readFileSync(manifestFile, 'utf8'));
    const found = await hashFolder(path.join(entry, CONTENT));
    return JSON.stringify(found) === JSON.stringify(expected);
  } catch {
    return false;
  }
}

/** @param {string} folder @returns {Promise<Record<string, string>>} SHA-256 by path, sorted */
async function hashFolder(folder) {
  /** @type {Record<string, string>} */
  const hashes = {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names) {
    const file = path.join(folder, name);
    if (!statSync(file).isFile()) continue;
    hashes[name.split(path.sep).join('/')] = await hashFile(file, 'sha256', 'hex');
  }
  return hashes;
}

/**
 * @param {string} file
 * @param {'sha256' | 'sha512'} algorithm
 * @param {'hex' | 'base64'} encoding
 */
export async function hashFile(file, algorithm, encoding) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest(encoding);
}

/**
 * Remembers that something did not work, so that the next start need not find it out again.
 * @param {string} name
 */
export function rememberFailure(name) {
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(cacheFolder(), `${name}.failed`), new Date().toISOString());
}

/** @param {string} name @param {number} maxAgeMs */
export function failedRecently(name, maxAgeMs) {
  try {
    return Date.now() - statSync(path.join(cacheFolder(), `${name}.failed`)).mtimeMs < maxAgeMs;
  } catch {
    return false;
  }
}
