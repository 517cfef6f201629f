/** Runs a part of a test without the superuser's powers, which ignore permissions. */

import { chown } from 'node:fs/promises';

/** "nobody" on every Unix we know of. */
const ORDINARY_USER = 65_534;

/**
 * Gives the folder to an ordinary user and acts as that user; as is, when the tests already run as one. `access` goes on asking
 * for the superuser: it looks at who started the process.
 */
export async function asOrdinaryUser<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || process.setegid === undefined || process.seteuid === undefined) {
    return work();
  }
  await chown(folder, ORDINARY_USER, ORDINARY_USER);
  process.setegid(ORDINARY_USER);
  process.seteuid(ORDINARY_USER);
  try {
    return await work();
  } finally {
    process.seteuid(0);
    process.setegid(0);
  }
}
