/** Keys of providers: encrypted by the system's keyring where there is a real one, otherwise kept for this run only. */

import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { openDataFile } from './data-file.ts';

/** Ciphertext in base64 by the provider's id. */
const schema = z.record(z.string(), z.string());

/** What is encrypted: the address is bound to its key, so that no other file or setting can point the key elsewhere. */
const secretSchema = z.strictObject({ address: z.string(), key: z.string() });
type Secret = z.infer<typeof secretSchema>;

export interface Secrets {
  /** False: the platform has no real keyring, and keys are gone after this run. */
  readonly arePersistent: boolean;
  /** The key, or null when none is held for this address or it can't be decrypted any more. */
  get(id: string, address: string): string | null;
  /** The key may be sent to this address and to no other. */
  set(id: string, address: string, key: string): Promise<void>;
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
  const keys = vault.isReal ? await decrypted(file.current(), vault) : new Map<string, Secret>();
  return {
    arePersistent: vault.isReal,
    get: (id, address) => {
      const secret = keys.get(id);
      return secret?.address === address ? secret.key : null;
    },
    set: async (id, address, key) => {
      const secret: Secret = { address, key };
      keys.set(id, secret);
      if (!vault.isReal) return;
      const encrypted = (await vault.encrypt(JSON.stringify(secret))).toString('base64');
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
): Promise<Map<string, Secret>> {
  const keys = new Map<string, Secret>();
  for (const [id, text] of Object.entries(encrypted)) {
    try {
      keys.set(id, secretSchema.parse(JSON.parse(await vault.decrypt(Buffer.from(text, 'base64')))));
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
