/** Keys of providers: encrypted by the system's keyring where there is a real one, otherwise kept for this run only. */

import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { openDataFile } from './data-file.ts';

/** Ciphertext in base64 by the provider's id. */
const schema = z.record(z.string(), z.string());

export interface Secrets {
  /** False: the platform has no real keyring, and keys are gone after this run. */
  readonly arePersistent: boolean;
  /** The key, or null when none is held or it can't be decrypted any more. */
  get(id: string): string | null;
  set(id: string, key: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What is used of Electron's safeStorage; older versions have only the synchronous calls. */
export interface Vault {
  readonly isReal: boolean;
  encrypt(text: string): Promise<Buffer>;
  decrypt(bytes: Buffer): Promise<string>;
}

export async function openSecrets(
  dataFolder: string,
  vault: Vault,
  onSetAside: (message: string) => void,
): Promise<Secrets> {
  const file = await openDataFile({
    path: join(dataFolder, 'secrets.json'),
    schema,
    whenNew: {},
    onSetAside,
  });
  const keys = vault.isReal ? await decrypted(file.current(), vault) : new Map<string, string>();
  return {
    arePersistent: vault.isReal,
    get: (id) => keys.get(id) ?? null,
    set: async (id, key) => {
      keys.set(id, key);
      if (!vault.isReal) return;
      const encrypted = (await vault.encrypt(key)).toString('base64');
      await file.update((present) => ({ ...present, [id]: encrypted }));
    },
    remove: async (id) => {
      keys.delete(id);
      if (file.current()[id] !== undefined) await file.update(({ [id]: _, ...others }) => others);
    },
  };
}

async function decrypted(
  encrypted: Readonly<Record<string, string>>,
  vault: Vault,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const [id, text] of Object.entries(encrypted)) {
    try {
      keys.set(id, await vault.decrypt(Buffer.from(text, 'base64')));
    } catch {
      // The keyring was reset or is another user's: the key has to be typed again.
    }
  }
  return keys;
}

/** Linux without a keyring falls back to a fixed password (`basic_text`), which protects nothing. */
export async function vaultOf(safeStorage: SafeStorage, platform: NodeJS.Platform): Promise<Vault> {
  const hasAsync = typeof safeStorage.encryptStringAsync === 'function';
  const available = hasAsync
    ? await safeStorage.isAsyncEncryptionAvailable()
    : safeStorage.isEncryptionAvailable();
  const isPlain =
    platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
  return {
    isReal: available && !isPlain,
    encrypt: async (text) =>
      hasAsync ? safeStorage.encryptStringAsync(text) : safeStorage.encryptString(text),
    decrypt: async (bytes) =>
      hasAsync ? (await safeStorage.decryptStringAsync(bytes)).result : safeStorage.decryptString(bytes),
  };
}
