// Starts the app whose folder is the first plain argument, as the default app of Electron does.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const folder = path.resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.');
const description = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
/** The last two are what Electron's own default app uses; they have no types. */
const host =
  /** @type {typeof app & {setVersion(version: string): void, setAppPath(folder: string): void}} */ (app);
host.setName(description.productName ?? description.name);
host.setVersion(description.version);
host.setAppPath(folder);
// Awaited at the top level: Electron holds back "ready" until the app's own code has run.
await import(pathToFileURL(path.join(folder, description.main)).href);
