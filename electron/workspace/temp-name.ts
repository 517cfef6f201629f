/** Names of the temporary files that the funnel makes beside a target: recovery, scans and listings know them by their shape. */

import { randomBytes } from 'node:crypto';

/** Not derived from the target's name, so that a target with a name of 255 bytes has room for one. */
const TEMP_NAME = /^\.rewind-[0-9a-f]{16}\.tmp$/;

export const newTempName = (): string => `.rewind-${randomBytes(8).toString('hex')}.tmp`;

export const isTempName = (name: string): boolean => TEMP_NAME.test(name);
