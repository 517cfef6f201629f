/** The thread that shares the work of the scanning one. */

import type { MessagePort } from 'node:worker_threads';
import { toErrorInfo } from '../../../shared/errors.ts';
import { toIoError } from '../../base/io-errors.ts';
import { differing } from './compare.ts';
import type { FolderScanOptions } from './folder-scan.ts';
import { lookAt } from './look.ts';
import type { PartnerReply, PartnerRequest } from './messages.ts';
import { StatTable } from './stat-table.ts';

interface OpenFolder {
  readonly options: FolderScanOptions;
  readonly paths: (string | null)[];
}

export function servePartner(port: MessagePort): void {
  const folders = new Map<number, OpenFolder>();
  const reply = (message: PartnerReply): void => port.postMessage(message);

  const answer = (request: PartnerRequest): void => {
    if (request.type === 'open') {
      folders.set(request.folder, { options: request.options, paths: [] });
      return;
    }
    const folder = folders.get(request.folder);
    if (folder === undefined) return;
    switch (request.type) {
      case 'compare': {
        const { paths } = folder;
        for (const [index, path] of request.changed) paths[index] = path;
        const { end, next } = request;
        const indices = differing({ paths, table: new StatTable(request.table), end, next });
        reply({ type: 'compared', request: request.request, indices });
        return;
      }
      case 'look': {
        const looked = request.paths.map((path) => lookAt(path, folder.options, request.tellLarge));
        reply({ type: 'looked', request: request.request, looked });
        return;
      }
      case 'close':
        folders.delete(request.folder);
    }
  };

  port.on('message', (request: PartnerRequest) => {
    try {
      answer(request);
    } catch (error) {
      if (!('request' in request)) throw error;
      const info = toErrorInfo(toIoError(error, 'reading the folder'));
      reply({ type: 'failed', request: request.request, error: info });
    }
  });
}
