/** The threads of a scan: one finds what is different, the other shares its work. */

import { parentPort, workerData } from 'node:worker_threads';
import { startWorker } from '../../base/worker-url.ts';
import { FolderScan, type FolderScanOptions } from './folder-scan.ts';
import { differing } from './known-paths.ts';
import { lookAt } from './look.ts';
import type { PartnerReply, PartnerRequest, ScanReply, ScanRequest, WorkerData } from './messages.ts';
import { PartnerThread } from './partner.ts';
import { StatTable } from './stat-table.ts';
import { describeError } from './thread-error.ts';

const { role, options } = workerData as WorkerData;
if (role === 'scan') serveScans(options);
else servePartner(options);

function serveScans(scanOptions: FolderScanOptions): void {
  const partnerData: WorkerData = { role: 'partner', options: scanOptions };
  const partner = new PartnerThread(
    startWorker(new URL('./scan.worker.ts', import.meta.url), { workerData: partnerData }),
  );
  const folder = new FolderScan(scanOptions);
  let isStopped = false;
  const reply = (message: ScanReply): void => parentPort?.postMessage(message);

  const scan = async (): Promise<void> => {
    isStopped = false;
    await folder.scan(partner, {
      found: (looked) => {
        if (looked.length > 0) reply({ type: 'found', looked });
      },
      progress: (done, total) => reply({ type: 'progress', done, total }),
      isStopped: () => isStopped,
    });
    if (isStopped) reply({ type: 'stopped' });
    else reply({ type: 'scanned', notCovered: folder.notCovered, paths: folder.size });
  };

  parentPort?.on('message', (request: ScanRequest) => {
    switch (request.type) {
      case 'load':
        for (const { path, stamp, state } of request.rows) folder.load(path, stamp, state);
        return;
      case 'scan':
        scan().catch((error: unknown) => reply({ type: 'failed', error: describeError(error) }));
        return;
      case 'stop':
        isStopped = true;
    }
  });
}

function servePartner(scanOptions: FolderScanOptions): void {
  const paths: (string | null)[] = [];
  const answer = (request: PartnerRequest): PartnerReply => {
    if (request.type === 'look') {
      return { type: 'looked', looked: request.paths.map((path) => lookAt(path, scanOptions)) };
    }
    for (const [index, path] of request.changed) paths[index] = path;
    const table = new StatTable(request.table);
    const pathAt = (index: number): string | null => paths[index] ?? null;
    return {
      type: 'differing',
      indices: differing(scanOptions.root, pathAt, table, request.from, request.to),
    };
  };
  parentPort?.on('message', (request: PartnerRequest) => {
    try {
      parentPort?.postMessage(answer(request));
    } catch (error) {
      parentPort?.postMessage({ type: 'failed', error: describeError(error) } satisfies PartnerReply);
    }
  });
}
