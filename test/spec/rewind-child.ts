/** Goes back to before turn 1 of a folder as another user, and prints the report: `rewind-child.ts ROOT USER`. */

import { applyRewind } from '../../electron/rewind/index.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import { openFolder } from '../helpers/open-folder.ts';

const [root = '', user] = process.argv.slice(2);
const folder = await openFolder(root);
// For good, and only now: that user need not be able to read this program.
process.setgroups?.([]);
process.setgid?.(Number(user));
process.setuid?.(Number(user));
const report = await applyRewind({
  ...folder,
  plan: { turn: asTurnNumber(1) },
  decisions: { conflicts: 'abort' },
  scope: 'files-only',
});
folder.store.close();
console.log(JSON.stringify(report));
