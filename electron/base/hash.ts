/** SHA-256 of bytes, the name of a blob. */

import { createHash } from 'node:crypto';
import { asSha256, type Sha256 } from '../../shared/ids.ts';

export const sha256Of = (bytes: Uint8Array | string): Sha256 =>
  asSha256(createHash('sha256').update(bytes).digest('hex'));
