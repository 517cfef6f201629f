/** A process that changes a folder and kills itself at a call: `funnel-child.ts ROOT OPERATION CALL OCCURRENCE`. */

import { nodeFileSystem } from '../../electron/base/file-system.ts';
import { faultyFileSystem } from '../helpers/faulty-file-system.ts';
import { OPERATIONS } from '../helpers/funnel-operations.ts';
import { openFolder } from '../helpers/open-folder.ts';

const [root = '', name, call, occurrence] = process.argv.slice(2);
const operation = OPERATIONS.find((each) => each.name === name);
if (operation === undefined) throw new Error(`There is no operation ${name}.`);

let left = Number.POSITIVE_INFINITY;
const onCall = (made: string): void => {
  if (made !== call) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

const { store, funnel } = await openFolder(root, {
  fs: faultyFileSystem(nodeFileSystem, (made) => onCall(made.name)),
  onDatabaseCall: onCall,
});
const entry = store.beginTurn({ label: 'a turn', agent: 'practice', chatHead: null });
left = Number(occurrence);
await operation.run(funnel, entry);
