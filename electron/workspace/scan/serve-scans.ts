/** The scanning thread: holds what is known of each open folder. */

import { setImmediate, setTimeout } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { AppError, toErrorInfo } from '../../../shared/errors.ts';
import { toIoError } from '../../base/io-errors.ts';
import { startWorker } from '../../base/worker-url.ts';
import { FolderScan, type FolderScanOptions } from './folder-scan.ts';
import type { ScanReply, ScanRequest } from './messages.ts';
import { type Partner, PartnerThread } from './partner.ts';

/** A pause as long as the work before it, but never so long that Stop would have to wait. */
const LONGEST_PAUSE_MS = 50;

interface OpenFolder {
  readonly options: FolderScanOptions;
  readonly scan: FolderScan;
  partner: Partner | null;
  isStopped: boolean;
  isGentle: boolean;
}

export function serveScans(port: MessagePort): void {
  const folders = new Map<number, OpenFolder>();
  let partnerThread: PartnerThread | null = null;
  const reply = (message: ScanReply): void => port.postMessage(message);

  const partnerFor = (id: number, folder: OpenFolder): Partner => {
    partnerThread ??= new PartnerThread(
      startWorker(new URL('./scan.worker.ts', import.meta.url), { workerData: 'partner' }),
    );
    folder.partner ??= partnerThread.open(id, folder.options);
    return folder.partner;
  };

  const scan = async (id: number, folder: OpenFolder, tellLarge: boolean): Promise<void> => {
    let lastPauseMs = performance.now();
    await folder.scan.scan({
      tellLarge,
      partner: () => partnerFor(id, folder),
      found: (found) => reply({ type: 'found', folder: id, found }),
      progress: (done, total) => reply({ type: 'progress', folder: id, done, total }),
      pause: async () => {
        if (folder.isGentle) await setTimeout(Math.min(performance.now() - lastPauseMs, LONGEST_PAUSE_MS));
        // Also lets the messages for other folders in.
        else await setImmediate();
        lastPauseMs = performance.now();
        if (folder.isStopped) throw new AppError('cancelled', 'Reading the folder was stopped.');
      },
    });
    reply({ type: 'scanned', folder: id, notCovered: folder.scan.notCovered, paths: folder.scan.size });
  };

  port.on('message', (request: ScanRequest) => {
    if (request.type === 'open') {
      const { options } = request;
      const opened = {
        options,
        scan: new FolderScan(options),
        partner: null,
        isStopped: false,
        isGentle: false,
      };
      folders.set(request.folder, opened);
      return;
    }
    const folder = folders.get(request.folder);
    if (folder === undefined) return;
    switch (request.type) {
      case 'load':
        for (const { path, stamp, state } of request.rows) folder.scan.load(path, stamp, state);
        return;
      case 'scan':
        folder.isGentle = request.gently;
        scan(request.folder, folder, request.tellLarge).catch((error: unknown) =>
          reply({
            type: 'failed',
            folder: request.folder,
            error: toErrorInfo(toIoError(error, 'reading the folder')),
          }),
        );
        return;
      case 'hurry':
        folder.isGentle = false;
        return;
      case 'stop':
        folder.isStopped = true;
        return;
      case 'close':
        folder.isStopped = true;
        folders.delete(request.folder);
        partnerThread?.close(request.folder);
    }
  });
}
