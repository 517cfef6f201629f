/** The threads of all scans: one finds what is different, the other shares its work. */

import { parentPort, workerData } from 'node:worker_threads';
import { servePartner } from './serve-partner.ts';
import { serveScans } from './serve-scans.ts';

if (parentPort !== null) {
  if (workerData === 'partner') servePartner(parentPort);
  else serveScans(parentPort);
}
